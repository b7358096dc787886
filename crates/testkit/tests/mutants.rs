//! Mutated programs go through everything that reads C without a panic; `cargo xtask fuzz` does the same at length.

use std::path::Path;

use testkit::mutate::Mutator;
use testkit::seed_text::{SeedText, seed_texts};
use testkit::survive::{Survival, survive};

const MUTANTS: u64 = 1_000;

fn seeds() -> Vec<SeedText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("tests/programs"), root.join("examples")];
    let folders: Vec<&Path> = folders.iter().map(|folder| folder.as_path()).collect();
    seed_texts(&folders).expect("the programs should be there and be preprocessed")
}

#[test]
fn mutants_are_survived() {
    let seeds = seeds();
    let mutator = Mutator::new(&seeds);
    let mut ran = 0;
    for seed in 0..MUTANTS {
        match survive(&mutator.mutant(seed), seed) {
            Ok(Survival::Ran) => ran += 1,
            Ok(_) => {}
            Err(defect) => panic!("`cargo xtask fuzz --print --seed {seed}`: {defect}"),
        }
    }
    // Mutations that break everything or nothing would test little.
    assert!(ran > MUTANTS / 20 && ran < MUTANTS, "{ran} of {MUTANTS} compiled and ran");
}

#[test]
fn the_programs_are_sound_before_they_are_mutated() {
    for seed in seeds() {
        let text = format!("{}\n{}", seed.declarations, seed.program);
        assert_eq!(survive(text.as_bytes(), 1), Ok(Survival::Ran), "{text}");
    }
}
