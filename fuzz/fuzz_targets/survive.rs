//! Any bytes: the front end answers with a reason or with a well-formed program that can be written, read back and run.
#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::survive::survive;

fuzz_target!(|bytes: &[u8]| {
    // Data model and schedule should not depend on anything that is not in the input.
    let seed = bytes.len() as u64;
    if let Err(defect) = survive(bytes, seed) {
        panic!("{defect}");
    }
});
