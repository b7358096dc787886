//! By what a file is known to be a proof, and what it says of the program.

use std::fmt::Write;

use program::Program;
use sha2::{Digest, Sha256};

/// The first word of every proof file.
pub const NAME: &str = "gordian-proof";

/// The version that is written and read.
pub const VERSION: u32 = 1;

/// Whether a file says of itself that it is a proof, of whatever version.
pub fn is_proof(text: &str) -> bool {
    text.split_whitespace().next() == Some(NAME)
}

/// What tells programs apart: their text form, without the names of files.
pub fn program_hash(program: &Program) -> String {
    let text = program.to_string();
    let mut hash = Sha256::new();
    for line in text.lines().filter(|line| !line.starts_with("file ")) {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    digits(&hash.finalize())
}

/// What tells whether a file is complete and as it was written.
pub fn checksum(text: &str) -> String {
    digits(&Sha256::digest(text.as_bytes()))
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
