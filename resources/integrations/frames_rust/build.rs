// Compiles faultline_frame.h, which lies beside this file, or in its place in Faultline's tree.
// SPDX-License-Identifier: MIT-0
use std::{env, fs, path::PathBuf, process::Command};

fn run(tool: &str, arguments: &[&str]) {
    let done = Command::new(tool).args(arguments).status();
    assert!(
        done.as_ref().is_ok_and(|status| status.success()),
        "{tool} {arguments:?}: {done:?}"
    );
}

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = env::var("OUT_DIR").unwrap();
    let header = [here.join("faultline_frame.h"), here.join("../../faultline_frame.h")]
        .into_iter()
        .find(|path| path.exists())
        .expect("copy faultline_frame.h beside build.rs");
    println!("cargo:rerun-if-changed={}", header.display());
    let [source, object, library] = ["frame.c", "frame.o", "libfaultline_frame.a"].map(|name| format!("{out}/{name}"));
    fs::write(
        &source,
        format!("#define FAULTLINE_FRAME_FUNCTION\n#include \"{}\"\n", header.display()),
    )
    .unwrap();
    let tool = |name: &str, usual: &str| env::var(name).unwrap_or(usual.to_string());
    run(&tool("CC", "cc"), &["-O2", "-fPIC", "-c", &source, "-o", &object]);
    let _ = fs::remove_file(&library);
    run(&tool("AR", "ar"), &["crs", &library, &object]);
    println!("cargo:rustc-link-search=native={out}");
    println!("cargo:rustc-link-lib=static=faultline_frame");
}
