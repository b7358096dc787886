//! Proofs that somebody made up.

use base::Budget;
use interp::OrderKind;
use program::{Analyses, Location, Program, Property, PropertySet};
use proof::{ProofDamage, ProofFile, ProofNode, ProofStep, ProofTerm, program_hash, read};
use proof_check::ProofRefusal;
use terms::Relation;

use crate::engine_proofs;
use crate::mutations::{PRELUDE, check};

fn program_of(body: &str) -> Program {
    engine_proofs::program_of(&format!("{PRELUDE}{body}"))
}

fn empty(program: &Program) -> ProofFile {
    ProofFile {
        program: program_hash(program),
        model: program.data_model,
        properties: PropertySet::of(&[Property::UnreachCall]),
        claims: vec![Vec::new()],
        nodes: vec![ProofNode::default()],
        ..ProofFile::default()
    }
}

fn found(program: &Program) -> ProofFile {
    let proof = engine_proofs::proof_of(program, Property::UnreachCall, OrderKind::Loop);
    let proof = proof.expect("the engine should find a proof").expect("the proof should be told");
    assert!(check(program, &proof).is_ok());
    proof
}

fn rejected(program: &Program, proof: &ProofFile, why: &str) {
    match check(program, proof) {
        Err(ProofRefusal::False(text)) => assert!(text.contains(why), "{why} should be in: {text}"),
        other => panic!("should be rejected since {why}: {other:?}"),
    }
}

const RACY: &str = "int x; void *f(void *p) { x = 1; return 0; }
    int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); if (x == 1) reach_error(); return 0; }";

const SAFE: &str = "int x, done; void *f(void *p) { x = 1; done = 1; return 0; }
    int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); if (done == 1 && x != 1) reach_error(); return 0; }";

#[test]
fn an_empty_tree_proves_nothing() {
    let program = program_of(RACY);
    rejected(&program, &empty(&program), "missing");
    let none = ProofFile { nodes: Vec::new(), ..empty(&program) };
    assert!(matches!(check(&program, &none), Err(ProofRefusal::Damaged(_))));
    let nothing = ProofFile { properties: PropertySet::EMPTY, ..empty(&program) };
    assert!(matches!(check(&program, &nothing), Err(ProofRefusal::Damaged(_))));
}

#[test]
fn a_node_without_successors_is_refused() {
    let program = program_of(SAFE);
    let mut proof = found(&program);
    let moves = proof.nodes[0].moves.clone();
    assert!(!moves.is_empty());
    proof.nodes.truncate(1);
    proof.nodes[0].moves.clear();
    rejected(&program, &proof, "missing");
}

/// Everything that one thread does is left out.
#[test]
fn a_thread_that_is_never_scheduled_is_missed() {
    let program = program_of(SAFE);
    let mut proof = found(&program);
    while let Some((index, position)) = proof.nodes.iter().enumerate().find_map(|(index, node)| {
        let of_thread = |&(step, _): &(u32, u32)| proof.steps[step as usize].thread == 1;
        node.moves.iter().position(of_thread).map(|position| (index, position))
    }) {
        let (_, to) = proof.nodes[index].moves.remove(position);
        engine_proofs::remove_below(&mut proof, to);
    }
    rejected(&program, &proof, "thread 1");
}

/// A step that ends behind a branch takes only one of its ways.
#[test]
fn one_way_of_a_branch_is_not_enough() {
    let program = program_of(
        "int x; int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0) x = 1;
         if (x == 1) reach_error(); return 0; }",
    );
    let text = "int x; int main(void) { int n = __VERIFIER_nondet_int(); if (n > 0) x = 0;
         if (x == 1) reach_error(); return 0; }";
    let safe = program_of(text);
    let proof = found(&safe);
    // The same tree for a program with an error: the control flow is the same.
    let other = ProofFile { program: program_hash(&program), ..proof };
    assert!(matches!(check(&program, &other), Err(ProofRefusal::False(_))));
}

/// Predicates that do not hold at the beginning, and such that hold only as long as numbers do not wrap around.
#[test]
fn wrong_predicates_are_refused() {
    let program = program_of(SAFE);
    let mut proof = found(&program);
    let never = proof.terms.len() as u32;
    proof.terms.push(ProofTerm::Boolean(false));
    let predicate = proof.predicates.len() as u32;
    proof.predicates.push(never);
    for index in 0..proof.nodes.len() {
        let mut forged = proof.clone();
        forged.nodes[index].held.push(predicate);
        rejected(&program, &forged, "does not hold");
    }
    let wraps = program_of(
        "unsigned char c = 1; int main(void) { while (__VERIFIER_nondet_int()) c++;
         if (c == 0) reach_error(); return 0; }",
    );
    let stays = program_of(
        "unsigned char c = 1; int main(void) { while (__VERIFIER_nondet_int()) c = c;
         if (c == 0) reach_error(); return 0; }",
    );
    let proof = found(&stays);
    let positive = proof
        .terms
        .iter()
        .any(|term| matches!(term, ProofTerm::Compare(Relation::Eq | Relation::Ult | Relation::Slt, ..)));
    assert!(positive, "the proof should compare");
    let mut moved = ProofFile { program: program_hash(&wraps), ..proof.clone() };
    moved.steps = steps_for(&wraps, &proof);
    assert!(check(&wraps, &moved).is_err());
}

/// The steps of a proof with the locations that the other program has at their place, as far as it has them.
fn steps_for(program: &Program, proof: &ProofFile) -> Vec<ProofStep> {
    let exists = |at: &Location| {
        let block = program.functions.get(at.function).and_then(|function| function.blocks.get(at.block));
        block.is_some_and(|block| at.index as usize <= block.instructions.len())
    };
    let steps = proof.steps.iter().cloned();
    steps
        .map(|mut step| {
            step.trail.retain(exists);
            step
        })
        .collect()
}

/// Initial values are those of the program.
#[test]
fn initial_values_are_those_of_the_program() {
    let zero = "int x; int main(void) { while (__VERIFIER_nondet_int()) ; if (x != 0) reach_error(); return 0; }";
    let proof = found(&program_of(zero));
    let one = program_of(&zero.replace("int x;", "int x = 1;"));
    let other = ProofFile { program: program_hash(&one), ..proof };
    assert!(matches!(check(&one, &other), Err(ProofRefusal::False(_))));
}

/// A step that merges what others can notice.
#[test]
fn steps_must_not_be_merged() {
    let program = program_of(SAFE);
    let proof = found(&program);
    let mut merged = 0;
    for (index, node) in proof.nodes.iter().enumerate() {
        for (position, &(first, to)) in node.moves.iter().enumerate() {
            let Some(&(second, end)) = proof.nodes[to as usize].moves.first() else { continue };
            let (one, two) = (&proof.steps[first as usize], &proof.steps[second as usize]);
            if one.thread != two.thread || one.end != two.trail.first().copied() || node.moves.len() != 1 {
                continue;
            }
            let mut forged = proof.clone();
            let trail = one.trail.iter().chain(&two.trail).copied().collect();
            let choices = one.choices.iter().chain(&two.choices).copied().collect();
            forged.steps.push(ProofStep { thread: one.thread, trail, end: two.end, choices });
            forged.nodes[index].moves[position] = (forged.steps.len() as u32 - 1, end);
            forged.nodes[to as usize].moves.clear();
            engine_proofs::remove_below(&mut forged, to);
            assert!(check(&program, &forged).is_err(), "{forged}");
            merged += 1;
        }
    }
    assert!(merged > 0, "some steps should follow each other");
}

#[test]
fn what_is_no_proof_is_not_read() {
    let program = program_of(SAFE);
    let proof = found(&program);
    let text = proof.to_string();
    assert_eq!(read("graphml"), Err(ProofDamage::Foreign));
    assert_eq!(read(""), Err(ProofDamage::Foreign));
    let newer = text.replacen("gordian-proof 1", "gordian-proof 2", 1);
    assert_eq!(read(&newer), Err(ProofDamage::Newer("2".to_owned())));
    for length in (0..text.len() - 1).filter(|&length| text.is_char_boundary(length)) {
        assert!(read(&text[..length]).is_err(), "the first {length} bytes should not be a proof");
    }
    for position in (0..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[position] ^= 1;
        let changed = String::from_utf8(bytes).expect("the text should be ASCII");
        assert!(read(&changed).is_err(), "a change at {position} should be noticed");
    }
}

/// Files whose checksum fits, and whose numbers name nothing.
#[test]
fn numbers_that_name_nothing_are_damage() {
    let program = program_of(SAFE);
    let proof = found(&program);
    let changes: [fn(&mut ProofFile); 7] = [
        |file| file.nodes[0].claims = 999,
        |file| file.nodes[0].held.push(999),
        |file| file.nodes[0].sleep.push(999),
        |file| file.predicates.push(999),
        |file| file.terms.insert(0, ProofTerm::Not(5)),
        |file| file.steps[0].trail[0].index = 9_999,
        |file| file.cells.push((0, u64::MAX, 8)),
    ];
    for change in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        let again = read(&changed.to_string()).expect("it should be read");
        let result = proof_check::check_proof(&Analyses::new(&program), &again, &Budget::unlimited());
        assert!(matches!(result, Err(ProofRefusal::Damaged(_))), "{result:?}");
    }
}
