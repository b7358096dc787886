//! Where in one object a pointer may lie, read off the terms: a pointer that was chosen among several has the same
//! choices in its object and in its offset, and under those that lead to the object the offset is often constant, although
//! it is not in general. A null pointer beside one to the middle of a structure is the common case.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::{ObjectId, Targets};
use terms::{BinaryOp, Relation, Term, TermId, Terms};

/// Steps that are taken; beyond them the offset is taken to be anything.
const MAX_STEPS: u32 = 2_000;
const MAX_PAIRS: usize = 2_000;

/// So many parts of a path condition are looked at.
const MAX_PARTS: usize = 64;

/// How deep conditions are looked into, and at how many terms in all.
const MAX_DEPTH: u32 = 24;
const MAX_WORK: u32 = 6_000;
const MAX_WORK_OF_PASS: u32 = 1_000_000;

/// All offsets that the pointer may have while its object is `target`, sorted; `None` if that is not known.
pub fn known_offsets(
    terms: &Terms,
    known: &PathKnowledge,
    (object, offset): (TermId, TermId),
    target: ObjectId,
) -> Option<Vec<u64>> {
    if let (Some(offset), Some(number)) = (terms.as_constant(offset), terms.as_constant(object)) {
        return Some(if number == u64::from(target.0) { vec![offset] } else { Vec::new() });
    }
    let granted = known.effort.grant(MAX_WORK);
    let (assumed, found, work) = (Vec::new(), Vec::new(), Cell::new(granted));
    let mut walk = ChoiceWalk { terms, known, target, assumed, pointed: None, found, steps: MAX_STEPS, work };
    let is_known = walk.objects(object, offset).is_some();
    known.effort.give_back(walk.work.get());
    if is_known {
        walk.found.sort_unstable();
        walk.found.dedup();
        return Some(walk.found);
    }
    let is_exhausted = walk.steps == 0 || walk.work.get() == 0;
    is_exhausted.then(|| roughly_known_offsets(terms, object, offset, target))?
}

/// How much work a pass may still put into deciding choices; shared by all who ask. Afterwards only the quick way is left.
#[derive(Clone, Debug)]
pub struct ChoiceEffort(Rc<Cell<u32>>);

impl Default for ChoiceEffort {
    fn default() -> Self {
        ChoiceEffort(Rc::new(Cell::new(MAX_WORK_OF_PASS)))
    }
}

impl ChoiceEffort {
    fn grant(&self, most: u32) -> u32 {
        let granted = self.0.get().min(most);
        self.0.set(self.0.get() - granted);
        granted
    }

    fn give_back(&self, rest: u32) {
        self.0.set(self.0.get() + rest);
    }
}

/// The objects that variables may name.
pub type Pointees = Rc<RefCell<FxHashMap<TermId, Targets>>>;

/// What is known where a thread is at present.
#[derive(Clone, Debug, Default)]
pub struct PathKnowledge {
    /// What its path condition is made of.
    parts: Vec<TermId>,
    pointees: Pointees,
    effort: ChoiceEffort,
}

impl PathKnowledge {
    /// What must hold for a condition to hold, the latest additions at least.
    pub fn of(terms: &Terms, condition: TermId, pointees: Pointees, effort: ChoiceEffort) -> Self {
        let (mut open, mut parts) = (vec![condition], Vec::new());
        while let Some(part) = open.pop() {
            match terms.get(part) {
                Term::And(a, b) if open.len() + parts.len() < MAX_PARTS => open.extend([a, b]),
                Term::Boolean(true) => {}
                _ => parts.push(part),
            }
        }
        PathKnowledge { parts, pointees, effort }
    }

    /// Whether a term is never the number of an object.
    fn never_names(&self, term: TermId, target: ObjectId) -> bool {
        self.pointees.borrow().get(&term).is_some_and(|targets| targets.binary_search(&target).is_err())
    }
}

/// One path after the other through the choices of a pointer.
struct ChoiceWalk<'a> {
    terms: &'a Terms,
    known: &'a PathKnowledge,
    target: ObjectId,
    /// What has been chosen on the present path.
    assumed: Vec<(TermId, bool)>,
    /// The term that is the number of the target on the present path.
    pointed: Option<TermId>,
    found: Vec<u64>,
    steps: u32,
    /// How many more terms may be looked at to decide choices.
    work: Cell<u32>,
}

impl ChoiceWalk<'_> {
    /// Follows the choices of the object that lead to the target.
    fn objects(&mut self, object: TermId, offset: TermId) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        match self.terms.get(object) {
            Term::Constant { value, .. } if value != u64::from(self.target.0) => Some(()),
            Term::Variable(_) if self.known.never_names(object, self.target) => Some(()),
            Term::Ite(condition, then, otherwise) => {
                self.choose(condition, |walk, holds| walk.objects(if holds { then } else { otherwise }, offset))
            }
            _ => {
                let before = self.pointed.replace(object);
                let found = self.offsets(offset);
                self.pointed = before;
                found
            }
        }
    }

    fn offsets(&mut self, offset: TermId) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        if let Term::Ite(condition, then, otherwise) = self.terms.get(offset) {
            return self.choose(condition, |walk, holds| walk.offsets(if holds { then } else { otherwise }));
        }
        if let Some(offset) = self.number(offset, MAX_DEPTH) {
            if self.is_possible() {
                self.found.push(offset);
            }
            return Some(());
        }
        match self.open_choice(offset, MAX_DEPTH) {
            Some(condition) => self.choose(condition, |walk, _| walk.offsets(offset)),
            None => (!self.is_possible()).then_some(()),
        }
    }

    /// A choice inside of a term that is not decided on the present path.
    fn open_choice(&self, term: TermId, depth: u32) -> Option<TermId> {
        let depth = self.spend(depth)?;
        match self.terms.get(term) {
            Term::Ite(condition, then, otherwise) => match self.truth(condition, depth) {
                Some(holds) => self.open_choice(if holds { then } else { otherwise }, depth),
                None => Some(condition),
            },
            operator if is_operator(operator) => operator.operands().find_map(|part| self.open_choice(part, depth)),
            _ => None,
        }
    }

    /// Goes on for each truth value that the condition may have here.
    fn choose(&mut self, condition: TermId, go_on: impl Fn(&mut Self, bool) -> Option<()>) -> Option<()> {
        if let Some(value) = self.truth(condition, MAX_DEPTH) {
            return go_on(self, value);
        }
        for value in [true, false] {
            let before = self.assumed.len();
            self.assume(condition, value);
            let found = go_on(self, value);
            self.assumed.truncate(before);
            found?;
        }
        Some(())
    }

    /// Assumes a condition, and what it is made of.
    fn assume(&mut self, condition: TermId, value: bool) {
        let mut open = vec![(condition, value)];
        while let Some((part, value)) = open.pop() {
            self.assumed.push((part, value));
            match (self.terms.get(part), value) {
                (Term::Not(negated), _) => open.push((negated, !value)),
                (Term::And(a, b), true) => open.extend([(a, true), (b, true)]),
                _ => {}
            }
        }
    }

    /// Whether nothing that is assumed or known is plainly false on the present path.
    fn is_possible(&self) -> bool {
        let is_possible = |&(part, value): &(TermId, bool)| self.made_of(part, MAX_DEPTH) != Some(!value);
        self.assumed.iter().all(is_possible)
            && self.known.parts.iter().all(|&part| self.truth(part, MAX_DEPTH) != Some(false))
    }

    /// What a condition is on the present path, if that is plain.
    fn truth(&self, condition: TermId, depth: u32) -> Option<bool> {
        let assumed = self.assumed.iter().find(|(assumed, _)| *assumed == condition);
        assumed.map(|(_, value)| *value).or_else(|| self.made_of(condition, depth))
    }

    /// What follows for a condition from its parts.
    fn made_of(&self, condition: TermId, depth: u32) -> Option<bool> {
        let depth = self.spend(depth)?;
        match self.terms.get(condition) {
            Term::Boolean(value) => Some(value),
            Term::Not(negated) => self.truth(negated, depth).map(|value| !value),
            Term::And(a, b) => match (self.truth(a, depth), self.truth(b, depth)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
            Term::Compare(Relation::Eq, a, b) => Some(self.number(a, depth)? == self.number(b, depth)?),
            _ => None,
        }
    }

    /// One level deeper, if there is work left to be done.
    fn spend(&self, depth: u32) -> Option<u32> {
        self.work.set(self.work.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    fn number(&self, term: TermId, depth: u32) -> Option<u64> {
        let depth = self.spend(depth)?;
        match self.terms.get(term) {
            Term::Constant { value, .. } => Some(value),
            _ if self.pointed == Some(term) => Some(u64::from(self.target.0)),
            Term::Ite(condition, then, otherwise) => {
                let holds = self.truth(condition, depth)?;
                self.number(if holds { then } else { otherwise }, depth)
            }
            operator => self.computed(operator, self.terms.width(term), depth),
        }
    }

    /// What an operator makes of numbers.
    fn computed(&self, operator: Term, width: u32, depth: u32) -> Option<u64> {
        let number = |part| self.number(part, depth);
        let result = match operator {
            Term::Binary(op, a, b) => {
                let (a, b) = (number(a)?, number(b)?);
                match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    _ => return None,
                }
            }
            Term::Concat(high, low) => number(high)? << self.terms.width(low) | number(low)?,
            Term::Extract { arg, low, .. } => number(arg)? >> low,
            _ => return None,
        };
        Some(result & (u64::MAX >> (64 - width)))
    }
}

/// Whether numbers are computed with here.
fn is_operator(term: Term) -> bool {
    use BinaryOp::{Add, And, Or, Sub, Xor};
    matches!(term, Term::Binary(Add | Sub | And | Or | Xor, ..) | Term::Concat(..) | Term::Extract { .. })
}

/// As [`known_offsets`], but without regard to what a choice says about others, which is quick.
fn roughly_known_offsets(terms: &Terms, object: TermId, offset: TermId, target: ObjectId) -> Option<Vec<u64>> {
    let mut seen = FxHashSet::default();
    let mut open = vec![(object, offset)];
    let mut found = Vec::new();
    while let Some(pair) = open.pop() {
        if !seen.insert(pair) {
            continue;
        }
        if seen.len() > MAX_PAIRS {
            return None;
        }
        let (object, offset) = pair;
        match (terms.get(object), terms.get(offset)) {
            (Term::Constant { value, .. }, _) if value != u64::from(target.0) => {}
            (_, Term::Constant { value, .. }) => found.push(value),
            (Term::Ite(c, a, b), Term::Ite(d, x, y)) if c == d => open.extend([(a, x), (b, y)]),
            (Term::Ite(_, a, b), _) => open.extend([(a, offset), (b, offset)]),
            (_, Term::Ite(_, x, y)) => open.extend([(object, x), (object, y)]),
            _ => return None,
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolic::OBJECT_BITS;

    #[test]
    fn choices_that_lead_elsewhere_do_not_count() {
        let mut terms = Terms::new();
        let (first, second) = (terms.bool_variable("first"), terms.bool_variable("second"));
        let objects: Vec<TermId> = (0..3).map(|number| terms.constant(OBJECT_BITS, number)).collect();
        let (four, eight, any) = (terms.constant(64, 4), terms.constant(64, 8), terms.bv_variable("any", 64));
        let inner_object = terms.ite(second, objects[2], objects[0]);
        let inner_offset = terms.ite(second, eight, any);
        let object = terms.ite(first, objects[1], inner_object);
        let offset = terms.ite(first, four, inner_offset);
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (object, offset), ObjectId(1)), Some(vec![4]));
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (object, offset), ObjectId(2)), Some(vec![8]));
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (object, offset), ObjectId(0)), None);
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (object, offset), ObjectId(5)), Some(vec![]));
    }
    #[test]
    fn offsets_that_belong_to_objects() {
        let mut terms = Terms::new();
        let (object, any) = (terms.bv_variable("object", OBJECT_BITS), terms.bv_variable("any", 64));
        let (four, eight) = (terms.constant(64, 4), terms.constant(64, 8));
        let mut offset = any;
        for (number, place) in [(1, four), (2, eight), (3, four)] {
            let number = terms.constant(OBJECT_BITS, number);
            let this = terms.eq(object, number);
            offset = terms.ite(this, place, offset);
        }
        let back = terms.constant(64, 4u64.wrapping_neg());
        let moved = terms.add(offset, back);
        for (target, place) in [(1, 4), (2, 8), (3, 4)] {
            assert_eq!(
                known_offsets(&terms, &PathKnowledge::default(), (object, offset), ObjectId(target)),
                Some(vec![place])
            );
            assert_eq!(
                known_offsets(&terms, &PathKnowledge::default(), (object, moved), ObjectId(target)),
                Some(vec![place - 4])
            );
        }
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (object, offset), ObjectId(4)), None);
    }

    #[test]
    fn choices_that_were_put_together() {
        let mut terms = Terms::new();
        let (object, any) = (terms.bv_variable("object", OBJECT_BITS), terms.bv_variable("any", 64));
        let (chosen, one) = (terms.bool_variable("chosen"), terms.constant(OBJECT_BITS, 1));
        let (eight, is_one) = (terms.constant(64, 8), terms.eq(object, one));
        let read = terms.ite(is_one, eight, any);
        let (both, offset) = (terms.ite(chosen, one, object), terms.ite(chosen, eight, read));
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (both, offset), ObjectId(1)), Some(vec![8]));
        assert_eq!(known_offsets(&terms, &PathKnowledge::default(), (both, offset), ObjectId(2)), None);
    }

    #[test]
    fn what_the_path_excludes_is_left_out() {
        let mut terms = Terms::new();
        let (object, any) = (terms.bv_variable("object", OBJECT_BITS), terms.bv_variable("any", 64));
        let (one, two) = (terms.constant(OBJECT_BITS, 1), terms.constant(OBJECT_BITS, 2));
        let (is_one, is_two) = (terms.eq(object, one), terms.eq(object, two));
        let (zero, eight) = (terms.constant(64, 0), terms.constant(64, 8));
        let offset = terms.ite(is_two, eight, any);
        let offset = terms.ite(is_one, zero, offset);
        let at_start = terms.eq(offset, zero);
        let same = terms.and(is_one, at_start);
        let differs = terms.not(same);
        let known = PathKnowledge::of(&terms, differs, Pointees::default(), ChoiceEffort::default());
        let back = terms.constant(64, 8u64.wrapping_neg());
        let moved = terms.add(offset, back);
        assert_eq!(known_offsets(&terms, &known, (object, moved), ObjectId(1)), Some(vec![]));
        assert_eq!(known_offsets(&terms, &known, (object, moved), ObjectId(2)), Some(vec![0]));
    }
}
