//! Witnesses: verdicts in the exchange formats of SV-COMP, so that other tools can check ours and we can check theirs.
//!
//! - violations as GraphML, format 1.0, with `threadId` and `createThread` (`graphml`), and as YAML, format 2.2, a
//!   `violation_sequence` whose waypoints have a `thread_id` (`violation_sequence`);
//! - proofs as YAML, format 2.0, an `invariant_set` (`invariant_set`);
//! - both kinds of violation witnesses are read back as waypoints (`graphml_reader`, `yaml_reader`), and sets of invariants
//!   as expressions at places (`invariant_reader`).

pub mod graphml;
pub mod graphml_reader;
pub mod invariant_reader;
pub mod invariant_set;
mod metadata;
pub mod violation_sequence;
pub mod yaml_reader;

use program::waypoint::Waypoint;
use program::{DataModel, Property, PropertySet};
use sha2::{Digest, Sha256};

/// What a witness says about its circumstances.
#[derive(Clone, Debug)]
pub struct Circumstances<'a> {
    /// Of the tool.
    pub version: &'a str,
    pub files: &'a [WitnessFile],
    pub data_model: DataModel,
    /// In UTC, as ISO 8601 writes it: `2024-02-29T12:00:00Z`.
    pub creation_time: &'a str,
}

/// A file of the program that was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessFile {
    pub name: String,
    /// SHA-256 of its contents, in hexadecimal digits.
    pub hash: String,
}

impl WitnessFile {
    pub fn new(name: String, contents: &[u8]) -> Self {
        Self { name, hash: hexadecimal(&Sha256::digest(contents)) }
    }
}

/// A violation witness that was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadWitness {
    pub waypoints: Vec<Waypoint>,
    /// The property that it says is violated, where we know it.
    pub properties: Option<PropertySet>,
    pub data_model: Option<DataModel>,
    /// Hashes of the files that it is about.
    pub hashes: Vec<String>,
}

/// The competition's formula for a property. Properties that the competition does not know are written in its manner.
pub fn specification(property: Property) -> String {
    let formula = match property {
        Property::UnreachCall => "! call(reach_error())",
        Property::NoDataRace => "! data-race",
        Property::NoOverflow => "! overflow",
        Property::ValidFree => "valid-free",
        Property::ValidDeref => "valid-deref",
        Property::ValidMemtrack => "valid-memtrack",
        Property::ValidMemcleanup => "valid-memcleanup",
        Property::Assert => "! call(__assert_fail())",
        Property::NoDeadlock => "! deadlock",
        Property::NoDivByZero => "! division-by-zero",
        Property::NoBadShift => "! bad-shift",
        Property::LockMisuse => "! lock-misuse",
        Property::NoThreadLeak => "! thread-leak",
        Property::NoExitWhileLocked => "! exit-while-locked",
        Property::Atomicity => "! atomicity-violation",
    };
    format!("CHECK( init(main()), LTL(G {formula}) )")
}

/// The properties that a specification asks about; several formulas mean all of them.
pub(crate) fn properties_in(text: &str) -> Option<PropertySet> {
    let without_spaces = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let text = without_spaces(text);
    let asks = |property: &Property| {
        let formula = without_spaces(&specification(*property));
        text.contains(formula.trim_start_matches("CHECK(init(main()),"))
    };
    let found: PropertySet = Property::ALL.into_iter().filter(asks).collect();
    (!found.is_empty()).then_some(found)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest of a text, in hexadecimal digits.
pub(crate) fn digest(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}

/// A name for a witness that depends on nothing but its contents, in the form of a UUID.
fn identifier(contents: &str) -> String {
    let mut bytes: [u8; 16] = Sha256::digest(contents.as_bytes())[..16].try_into().expect("a digest has 32 bytes");
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes);
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    parts.join("-")
}

/// The integer that an assumption such as `\result == -3` or `x == 5U;` says something is equal to.
pub(crate) fn equal_to(assumption: &str) -> Option<i128> {
    let (_, right) = assumption.split_once("==")?;
    let right = right.trim().trim_end_matches(';').trim().trim_matches(['(', ')', ' ']);
    let digits = right.trim_end_matches(['u', 'U', 'l', 'L']);
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest.trim_start()));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok()?,
        None => digits.parse::<i128>().ok()?,
    };
    Some(if negative { value.checked_neg()? } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_specification_is_recognised() {
        for property in Property::ALL {
            assert_eq!(properties_in(&specification(property)), Some(PropertySet::of(&[property])), "{property}");
        }
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(properties_in(memory), Some(PropertySet::of(&[Property::ValidFree, Property::ValidDeref])));
        assert_eq!(properties_in("CHECK(init(main()),LTL(F end))"), None);
    }

    #[test]
    fn hashes_and_identifiers_are_right() {
        let file = WitnessFile::new("a.c".to_owned(), b"abc");
        assert_eq!(file.hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let name = identifier("x");
        assert_eq!((name.len(), name.as_bytes()[14]), (36, b'5'));
        assert_ne!(name, identifier("y"));
    }

    #[test]
    fn assumptions_give_their_number() {
        assert_eq!(equal_to("\\result == -3"), Some(-3));
        assert_eq!(equal_to("x == (5U);"), Some(5));
        assert_eq!(equal_to("main::x==0x10"), Some(16));
        for other in ["", "x", "x == y", "x == 1.5", "a == ", "x < 3", "x == 99999999999999999999999999999999999999999"]
        {
            assert_eq!(equal_to(other), None, "{other}");
        }
    }
}
