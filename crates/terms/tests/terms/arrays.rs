//! Elements of arrays against arrays as tables.

use std::collections::BTreeMap;

use terms::{Assignment, TermId, Terms, evaluate, holds};

use crate::random::Random;

const INDEX: u32 = 3;
const ELEMENT: u32 = 8;

/// What the variable array holds.
fn initially(index: u64) -> u64 {
    index * 37 % 256
}

/// An array as the terms have it and as a table under one assignment.
#[derive(Clone)]
struct Both {
    term: TermId,
    table: BTreeMap<u64, u64>,
}

struct World {
    terms: Terms,
    assignment: Assignment,
    words: Vec<TermId>,
    conditions: Vec<TermId>,
    arrays: Vec<Both>,
}

impl World {
    fn new(random: &mut Random) -> Self {
        let (mut terms, mut assignment) = (Terms::new(), Assignment::default());
        let mut words: Vec<TermId> = (0..3).map(|_| terms.bv_variable("i", INDEX)).collect();
        let conditions: Vec<TermId> = (0..2).map(|_| terms.bool_variable("c")).collect();
        for variable in terms.variables() {
            assignment.set(variable, random.next() % 8);
        }
        words.extend((0..3).map(|value| terms.constant(INDEX, value)));
        let zero = terms.constant(ELEMENT, 0);
        let (variable, filled) = (terms.array_variable("a", ELEMENT), terms.filled_array(zero));
        let tables = [(0..8).map(|at| (at, initially(at))).collect(), (0..8).map(|at| (at, 0)).collect()];
        let arrays = [variable, filled].into_iter().zip(tables).map(|(term, table)| Both { term, table }).collect();
        Self { terms, assignment, words, conditions, arrays }
    }

    fn value(&self, term: TermId) -> u64 {
        evaluate(&self.terms, term, &self.assignment)
    }

    fn step(&mut self, random: &mut Random) {
        let Both { term, mut table } = random.pick(&self.arrays).clone();
        let index = *random.pick(&self.words);
        match random.below(3) {
            0 => {
                let element = self.terms.constant(ELEMENT, random.next());
                let term = self.terms.store(term, index, element);
                table.insert(self.value(index), self.value(element));
                self.arrays.push(Both { term, table });
            }
            1 => {
                let (condition, other) = (*random.pick(&self.conditions), random.pick(&self.arrays).clone());
                let term = self.terms.ite(condition, term, other.term);
                let table = if self.value(condition) != 0 { table } else { other.table };
                self.arrays.push(Both { term, table });
            }
            _ => {
                let element = self.terms.element(term, index);
                self.assign_elements();
                assert_eq!(self.value(element), table[&self.value(index)]);
                // What was read may decide where to read next.
                let low = self.terms.extract(element, INDEX - 1, 0);
                self.words.push(low);
            }
        }
    }

    /// Gives the elements of the variable array their values.
    fn assign_elements(&mut self) {
        let read: Vec<(TermId, TermId)> = self.terms.elements_read(self.arrays[0].term).collect();
        for (index, element) in read {
            let terms::Term::Variable(variable) = self.terms.get(element) else { unreachable!() };
            self.assignment.set(variable, initially(self.value(index)));
        }
    }
}

#[test]
fn elements_are_those_of_tables() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut world = World::new(&mut random);
        (0..30).for_each(|_| world.step(&mut random));
        for congruence in world.terms.take_congruences() {
            assert!(holds(&world.terms, congruence, &world.assignment), "seed {seed}: a congruence should hold");
        }
    }
}

#[test]
fn equal_indices_have_equal_elements() {
    let mut terms = Terms::new();
    let array = terms.array_variable("a", ELEMENT);
    let (i, j) = (terms.bv_variable("i", INDEX), terms.bv_variable("j", INDEX));
    let (first, second) = (terms.element(array, i), terms.element(array, j));
    assert_eq!(terms.element(array, i), first, "one index has one element");
    let [congruence] = terms.take_congruences()[..] else { panic!("two indices should have one congruence") };
    let mut assignment = Assignment::default();
    let mut set = |term, value| {
        let terms::Term::Variable(variable) = terms.get(term) else { unreachable!() };
        assignment.set(variable, value);
    };
    set(first, 1);
    set(second, 2);
    set(i, 5);
    set(j, 5);
    assert!(!holds(&terms, congruence, &assignment));
    let (five, six) = (terms.constant(INDEX, 5), terms.constant(INDEX, 6));
    terms.element(array, five);
    terms.take_congruences();
    terms.element(array, six);
    assert_eq!(terms.take_congruences().len(), 2, "constants that differ need no congruence");
}

#[test]
fn many_stores_are_not_too_deep() {
    let mut terms = Terms::new();
    let zero = terms.constant(32, 0);
    let mut array = terms.filled_array(zero);
    for at in 0..100_000 {
        let index = terms.constant(32, at);
        array = terms.store(array, index, index);
    }
    let wanted = terms.constant(32, 17);
    assert_eq!(terms.element(array, wanted), wanted);
    let any = terms.bv_variable("i", 32);
    terms.element(array, any);
}
