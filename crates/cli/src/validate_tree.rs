//! `gordian validate` on a proof file: every obligation is checked, and no engine is asked.

use base::{Diagnostic, Files};
use program::Analyses;
use proof::{ProofFile, program_hash};
use proof_check::{ProofCounts, ProofRefusal, check_proof};
use report::verdict;

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::input;
use crate::session::Session;
use crate::validate::ValidateArguments;

pub fn validate(arguments: &ValidateArguments, text: &str, session: &Session) -> Result<Exit, CommandFailure> {
    let shown = arguments.witness.display();
    let fail = |message: String| {
        let diagnostics = vec![Diagnostic::error("proof", message)];
        CommandFailure::Input { diagnostics, files: Files::new() }
    };
    let proof: ProofFile =
        proof::read(text).map_err(|damage| fail(format!("the proof `{shown}` cannot be read: {damage}")))?;
    let mut sources = arguments.sources.clone();
    sources.data_model = sources.data_model.or(Some(proof.model));
    let source = input::read(&sources, session)?;
    if program_hash(&source.program) != proof.program {
        return Err(fail(format!("the proof `{shown}` is about another program, or one read with other options")));
    }
    if !arguments.properties.named.is_empty() {
        let missing = arguments.properties.selected().iter().find(|property| !proof.properties.contains(*property));
        if let Some(property) = missing {
            return Err(fail(format!("the proof `{shown}` says nothing about {property}")));
        }
    }
    let budget = arguments.limits.budget(session);
    let (text, exit) = match check_proof(&Analyses::new(&source.program), &proof, &budget) {
        Ok(counts) => {
            let claims: Vec<&str> = proof.properties.iter().map(verdict::claim).collect();
            let mut text = format!("VALID: {}\n{}\n", claims.join(", "), checked(counts));
            if !source.program.input_bounds.is_empty() {
                text += &format!("within: {}\n", source.program.input_bounds.join(", "));
            }
            (text, Exit::Holds)
        }
        Err(ProofRefusal::False(what)) => (format!("REJECTED: {what}\n"), Exit::Violated),
        Err(ProofRefusal::Unclear(what)) => (format!("NOT VALIDATED: {what}\n"), Exit::Unknown),
        Err(ProofRefusal::Stopped(reason)) => (format!("NOT VALIDATED: {reason}\n"), Exit::Unknown),
        Err(ProofRefusal::Damaged(what)) => {
            return Err(fail(format!("the proof `{shown}` cannot be read: {what}")));
        }
    };
    session.print(text.as_bytes());
    Ok(exit)
}

fn checked(counts: ProofCounts) -> String {
    let ProofCounts { nodes, triples, coverings, commutations, questions } = counts;
    format!(
        "checked: {nodes} nodes, {triples} triples, {coverings} coverings, {commutations} commutations; {questions} questions \
         to the solver"
    )
}
