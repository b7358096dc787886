//! A proof in which something was changed is rejected, unless all that is left is still true: whether it is, the engine decides
//! with its own edges and its own questions to the solver.

use base::Budget;
use interp::{Attempt, OrderKind};
use program::{Analyses, Program, Property};
use proof::{ProofFile, ProofNode};
use proof_check::{ProofCounts, ProofRefusal, check_proof};

use crate::engine_proofs;

/// Numbers that look random and are the same every time.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

pub const PRELUDE: &str = "
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }
";

/// Small programs whose proofs have loops, coverings, predicates and sleeping steps.
pub const PROGRAMS: [&str; 5] = [
    "unsigned int x, y, n; void *f(void *p) { while (x < n) { x = x + x; } return 0; }
     void *g(void *p) { while (y < n) { y = y + y; } return 0; }
     int main(void) { pthread_t a, b; x = __VERIFIER_nondet_uint(); y = x; n = __VERIFIER_nondet_uint();
     if (x == 0) return 0;
     pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);
     if (x != y) reach_error(); return 0; }",
    "int x, y; void *f(void *p) { while (__VERIFIER_nondet_int()) { __VERIFIER_atomic_begin(); x++; y++;
     __VERIFIER_atomic_end(); } return 0; }
     int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
     __VERIFIER_atomic_begin(); if (x != y) reach_error(); __VERIFIER_atomic_end(); return 0; }",
    "int flag, data; void *f(void *p) { data = 42; flag = 1; return 0; }
     int main(void) { pthread_t a; pthread_create(&a, 0, f, 0);
     if (flag == 1 && data != 42) reach_error(); return 0; }",
    "int a, b, n; void *f(void *p) { for (int i = 0; i < n; i++) a++; return 0; }
     void *g(void *p) { for (int i = 0; i < n; i++) b++; return 0; }
     int main(void) { pthread_t s, t; n = __VERIFIER_nondet_int();
     pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0);
     if (a != b) reach_error(); return 0; }",
    "int turn, x; void *f(void *p) { for (;;) { __VERIFIER_assume(turn == 0); x = 1; x = 0; turn = 1; } return 0; }
     int main(void) { pthread_t a; pthread_create(&a, 0, f, 0);
     for (;;) { __VERIFIER_assume(turn == 1); if (x != 0) reach_error(); turn = 0; } return 0; }",
];

struct Subject {
    program: &'static Program,
    proof: ProofFile,
    /// The engine that found the proof.
    judge: Attempt<'static>,
}

fn subjects() -> Vec<Subject> {
    let mut found = Vec::new();
    for text in PROGRAMS {
        let program: &'static Program = Box::leak(Box::new(engine_proofs::program_of(&format!("{PRELUDE}{text}"))));
        for order in [OrderKind::Loop, OrderKind::Sequential, OrderKind::None] {
            let mut judge = engine_proofs::attempt(&Analyses::new(program), Property::UnreachCall, order);
            if let Some(Ok(proof)) = judge.proof.take() {
                assert!(check(program, &proof).is_ok(), "{:?} of {text}", check(program, &proof));
                assert_eq!(judge.recheck(&proof, &Budget::unlimited()), Ok(true));
                found.push(Subject { program, proof, judge });
            }
        }
    }
    assert!(found.len() >= 7, "only {} proofs", found.len());
    found
}

pub fn check(program: &Program, proof: &ProofFile) -> Result<ProofCounts, ProofRefusal> {
    check_proof(&Analyses::new(program), proof, &Budget::unlimited())
}

/// Asserts that changes are rejected, but for those that leave everything true as the engine sees it.
fn tried(what: &str, change: impl Fn(&mut ProofFile, &mut Dice) -> bool) {
    let mut subjects = subjects();
    let mut dice = Dice(17);
    let (mut made, mut rejected, mut harmless) = (0, 0, 0);
    for _ in 0..6_000 {
        let position = dice.below(subjects.len());
        let Subject { program, proof, judge } = &mut subjects[position];
        let mut changed = proof.clone();
        if !change(&mut changed, &mut dice) || changed == *proof {
            continue;
        }
        made += 1;
        match check(program, &changed) {
            Err(ProofRefusal::False(_)) => rejected += 1,
            Err(refusal) => panic!("{what}: {refusal:?}"),
            Ok(_) => {
                let is_true = judge.recheck(&changed, &Budget::unlimited());
                assert_eq!(is_true, Ok(true), "{what} should be rejected:\n{changed}");
                harmless += 1;
            }
        }
        if rejected >= 220 {
            break;
        }
    }
    eprintln!("{what}: {made} made, {rejected} rejected, {harmless} still true");
    assert!(rejected >= 200, "{what}: {made} made, only {rejected} rejected");
}

fn some_node(proof: &ProofFile, dice: &mut Dice, wanted: impl Fn(&ProofNode) -> bool) -> Option<usize> {
    let all: Vec<usize> = (0..proof.nodes.len()).filter(|&index| wanted(&proof.nodes[index])).collect();
    if all.is_empty() { None } else { Some(all[dice.below(all.len())]) }
}

#[test]
fn dropped_predicates_are_missed() {
    let change = |proof: &mut ProofFile, dice: &mut Dice| {
        let Some(index) = some_node(proof, dice, |node| !node.held.is_empty()) else { return false };
        let position = dice.below(proof.nodes[index].held.len());
        proof.nodes[index].held.remove(position);
        true
    };
    tried("a dropped predicate", change);
}

#[test]
fn dropped_and_redirected_coverings_are_missed() {
    let change = |proof: &mut ProofFile, dice: &mut Dice| {
        let Some(index) = some_node(proof, dice, |node| node.covered_by.is_some()) else { return false };
        proof.nodes[index].covered_by = if dice.below(3) == 0 {
            None
        } else {
            some_node(proof, dice, |node| node.covered_by.is_none()).map(|other| other as u32)
        };
        true
    };
    tried("a changed covering", change);
}

#[test]
fn forged_commutations_are_refused() {
    let change = |proof: &mut ProofFile, dice: &mut Dice| {
        let Some(index) = some_node(proof, dice, |node| node.covered_by.is_none()) else { return false };
        // A step that is taken sleeps instead, and what is behind it is gone.
        let node = &mut proof.nodes[index];
        if node.moves.is_empty() {
            return false;
        }
        let position = dice.below(node.moves.len());
        let (step, to) = node.moves.remove(position);
        if !node.sleep.contains(&step) {
            node.sleep.push(step);
        }
        engine_proofs::remove_below(proof, to);
        true
    };
    tried("a forged commutation", change);
}

#[test]
fn dropped_commutations_are_missed() {
    let change = |proof: &mut ProofFile, dice: &mut Dice| {
        let Some(index) = some_node(proof, dice, |node| !node.sleep.is_empty()) else { return false };
        let position = dice.below(proof.nodes[index].sleep.len());
        proof.nodes[index].sleep.remove(position);
        true
    };
    tried("a dropped commutation", change);
}

#[test]
fn dropped_steps_are_missed() {
    let change = |proof: &mut ProofFile, dice: &mut Dice| {
        let Some(index) = some_node(proof, dice, |node| !node.moves.is_empty()) else { return false };
        let position = dice.below(proof.nodes[index].moves.len());
        let (_, to) = proof.nodes[index].moves.remove(position);
        engine_proofs::remove_below(proof, to);
        true
    };
    tried("a dropped step", change);
}
