//! Any bytes: the front end answers with a well-formed program or with a reason.
#![no_main]

use frontend::{CompileOptions, compile_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match compile_text("fuzz.c", &text, &CompileOptions::default()) {
        Ok(compiled) => assert_eq!(program::verify::verify(&compiled.program), []),
        Err(failure) => assert!(failure.diagnostics.iter().any(|diagnostic| diagnostic.is_error())),
    }
});
