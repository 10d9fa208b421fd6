//! Page faults as a measurement of criterion, in place of time. Copy this crate into your own, which has
//! `faultline_criterion = { path = "criterion" }` in its dev-dependencies:
//!
//! ```ignore
//! use criterion::{criterion_group, criterion_main, Criterion};
//! fn parse(c: &mut Criterion<faultline_criterion::Faults>) {
//!     c.bench_function("parse", |b| b.iter(|| parse_text(TEXT)));
//! }
//! criterion_group!(name = benches; config = Criterion::default().with_measurement(faultline_criterion::Faults);
//!                  targets = parse);
//! criterion_main!(benches);
//! ```
//!
//! The faults are of the whole process. Criterion cannot judge a measurement of zero: a benchmark that never faults ends
//! with its message "At least one measurement of benchmark ... took zero time per iteration".
//!
//! SPDX-License-Identifier: MIT-0
use criterion::measurement::{Measurement, ValueFormatter};
use criterion::Throughput;

/// Counts of this process so far, minor and major.
pub fn faults() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: getrusage() writes a rusage, and zeros are one if it fails.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    usage.ru_minflt as u64 + usage.ru_majflt as u64
}

pub struct Faults;

impl Measurement for Faults {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        faults()
    }
    fn end(&self, begin: u64) -> u64 {
        faults() - begin
    }
    fn add(&self, one: &u64, other: &u64) -> u64 {
        one + other
    }
    fn zero(&self) -> u64 {
        0
    }
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        &Format
    }
}

struct Format;

impl ValueFormatter for Format {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "faults"
    }
    fn scale_throughputs(&self, _typical: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        let (amount, unit) = match *throughput {
            Throughput::Elements(count) => (count as f64, "faults/element"),
            Throughput::Bytes(count) | Throughput::BytesDecimal(count) => (count as f64, "faults/byte"),
            #[allow(unreachable_patterns)]
            _ => (1.0, "faults"),
        };
        values.iter_mut().for_each(|value| *value /= amount);
        unit
    }
    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "faults"
    }
}
