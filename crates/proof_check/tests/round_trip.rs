//! What the engine proves of the test programs is written, read and found to be true.

mod common;

use base::Budget;
use interp::OrderKind;
use program::Analyses;
use proof_check::check_proof;

#[test]
fn proofs_of_the_test_programs_are_valid() {
    let mut failures = Vec::new();
    let (mut valid, mut untold) = (0, 0);
    for path in common::programs() {
        let Some((program, property)) = common::safe_program(&path) else { continue };
        eprintln!("at {}", path.display());
        let started = std::time::Instant::now();
        let proof = match common::proof_of(&program, property, OrderKind::Loop) {
            None => continue,
            Some(Err(why)) => {
                eprintln!("{}: {why}", path.display());
                untold += 1;
                continue;
            }
            Some(Ok(proof)) => proof,
        };
        let text = proof.to_string();
        let again = proof::read(&text).expect("what was written should be read");
        assert_eq!(again, proof, "{}", path.display());
        let found = started.elapsed();
        let outcome = check_proof(&Analyses::new(&program), &again, &Budget::with_timeout(std::time::Duration::from_secs(10)));
        eprintln!("{} {found:?} {:?} {} {outcome:?}", path.display(), started.elapsed() - found, again.nodes.len());
        match outcome {
            Ok(_) => valid += 1,
            Err(refusal) => failures.push(format!("{}: {refusal:?}", path.display())),
        }
    }
    eprintln!("{valid} valid, {untold} that cannot be told");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(valid >= 100, "only {valid} proofs");
}
