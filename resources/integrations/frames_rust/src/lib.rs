//! Tells Faultline where a frame ends, once in each turn of a loop, always with the same name for the same loop. Copy this
//! crate with faultline_frame.h into your own, which depends on `faultline_frame = { path = "frames_rust" }`:
//!
//! ```
//! # fn draw() {}
//! for _ in 0..3 {
//!     draw();
//!     faultline_frame::frame(c"render");
//! }
//! ```
//!
//! Then: `faultline-cli frames -- ./game`. faultline_frame.h tells the rest: it is compiled by build.rs, which needs a C
//! compiler (`CC`, else `cc`) and `ar`.
//!
//! SPDX-License-Identifier: MIT-0
use std::ffi::{c_char, CStr};

extern "C" {
    fn faultline_frame_call(name: *const c_char);
}

/// Takes no lock, and allocates nothing. The name lives as long as the program, as a watcher knows it by its address.
pub fn frame(name: &'static CStr) {
    // SAFETY: the name ends with a zero, and any thread may call the function.
    unsafe { faultline_frame_call(name.as_ptr()) }
}
