//! Tells the binary which commit it was built from, if that is known.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    println!("cargo::rerun-if-changed=build.rs");
    // Every commit is a line there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| std::path::Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rustc-env=GORDIAN_COMMIT={}", git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_default());
}
