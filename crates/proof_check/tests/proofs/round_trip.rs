//! What the engine proves of the test programs is written, read and found to be true.

use base::Budget;
use interp::OrderKind;
use program::Analyses;
use proof_check::{ProofRefusal, check_proof};

use crate::engine_proofs;

#[test]
fn proofs_of_the_test_programs_are_valid() {
    let mut failures = Vec::new();
    let (mut valid, mut unclear, mut untold) = (0, 0, 0);
    for path in engine_proofs::programs() {
        let Some((program, property)) = engine_proofs::safe_program(&path) else { continue };
        let proof = match engine_proofs::proof_of(&program, property, OrderKind::Loop) {
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
        match check_proof(&Analyses::new(&program), &again, &Budget::unlimited()) {
            Ok(_) => valid += 1,
            // The engine does not answer there, or knows more of pointers.
            Err(ProofRefusal::Unclear(_)) => unclear += 1,
            Err(refusal) => failures.push(format!("{}: {refusal:?}", path.display())),
        }
    }
    eprintln!("{valid} valid, {unclear} that are not understood, {untold} that cannot be told");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(valid >= 150 && unclear <= 8, "only {valid} proofs are valid, and {unclear} are not understood");
}
