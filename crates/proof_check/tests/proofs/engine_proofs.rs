//! Proofs of the test programs, found by the engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Budget;
use interp::{Attempt, AttemptLimits, Conclusion, OrderKind, PreferenceOrder};
use program::{Analyses, Program, Property, PropertySet};
use proof::ProofFile;

/// What an attempt may cost.
const WORK: u64 = 60_000;

pub fn programs() -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("the test programs should be there") {
            let path = entry.expect("an entry should be read").path();
            match path.extension() {
                _ if path.is_dir() => open.push(path),
                Some(ending) if ending == "c" => found.push(path),
                _ => {}
            }
        }
    }
    if let Ok(word) = std::env::var("PROGRAMS") {
        found.retain(|path| path.to_string_lossy().contains(&word));
    }
    found.sort();
    found
}

/// The program of a file that is said to hold of `assert` or `unreach-call`, unless it needs options.
pub fn safe_program(path: &Path) -> Option<(Program, Property)> {
    let text = std::fs::read_to_string(path).expect("a test program should be read");
    let value = |key: &str| {
        let line =
            text.lines().take_while(|line| line.starts_with("//")).find_map(|line| line[2..].trim().strip_prefix(key));
        line.map(str::trim)
    };
    let property = match value("PROPERTY") {
        None | Some("assert") => Property::Assert,
        Some("unreach-call") => Property::UnreachCall,
        Some(_) => return None,
    };
    let is_safe = matches!(value("EXPECT"), Some("proved" | "unbounded" | "holds"));
    // Floating-point numbers take the engine long.
    let is_long = text.contains("float") || text.contains("double");
    if !is_safe || is_long || value("OPTION").is_some() {
        return None;
    }
    let compiled = frontend::compile(&[path.to_path_buf()], &frontend::CompileOptions::default());
    Some((compiled.ok()?.program, property))
}

pub fn program_of(text: &str) -> Program {
    let options = frontend::CompileOptions::default();
    frontend::compile_text("test.c", text, &options).expect("the program should compile").program
}

/// The proof that an attempt finds, if it finds one soon; `Err` if there is a proof that cannot be told.
pub fn proof_of(program: &Program, property: Property, order: OrderKind) -> Option<Result<ProofFile, String>> {
    attempt(&Analyses::new(program), property, order).proof
}

/// An attempt that has ended, with its proof if it found one.
pub fn attempt<'p>(analyses: &Analyses<'p>, property: Property, order: OrderKind) -> Attempt<'p> {
    let mut attempt = Attempt::new(analyses, PropertySet::of(&[property]));
    attempt.keeps_proof = true;
    let budget = Budget::with_timeout(Duration::from_secs(2)).with_work(WORK);
    let conclusion = attempt.run(&PreferenceOrder::new(order), AttemptLimits::default(), &budget);
    assert_eq!(matches!(conclusion, Ok(Conclusion::Proved)), attempt.proof.is_some());
    attempt
}

/// Takes a node and all behind it out of a tree; nodes that they cover go on uncovered.
pub fn remove_below(proof: &mut ProofFile, root: u32) {
    let mut gone = vec![false; proof.nodes.len()];
    let mut open = vec![root];
    while let Some(next) = open.pop() {
        gone[next as usize] = true;
        open.extend(proof.nodes[next as usize].moves.iter().map(|&(_, to)| to));
    }
    let mut numbers = Vec::new();
    let mut count = 0;
    for &is_gone in &gone {
        numbers.push(count);
        count += u32::from(!is_gone);
    }
    let old = std::mem::take(&mut proof.nodes);
    for (mut node, _) in old.into_iter().zip(&gone).filter(|(_, is_gone)| !**is_gone) {
        node.moves.iter_mut().for_each(|(_, to)| *to = numbers[*to as usize]);
        node.covered_by = node.covered_by.filter(|&other| !gone[other as usize]).map(|other| numbers[other as usize]);
        proof.nodes.push(node);
    }
}
