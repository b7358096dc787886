//! A finished tree as a file for somebody else to check.

use base::{Budget, Id, StopReason};
use program::Location;
use proof::{
    ProofClaim, ProofFile, ProofNode, ProofObject, ProofObjectKey, ProofStep, ProofTerm, ProofVariable, program_hash,
};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::ObjectId;
use terms::{Sort, Term, TermId, VariableId};

use crate::abstraction::{Held, PredicateAbstraction};
use crate::control::{Control, KnownValue};
use crate::edge::{Chosen, ControlId, EdgeId, Move};
use crate::search::Tree;
use crate::vocabulary::{Meaning, ObjectContents, VariableObject, Vocabulary};

/// The tree with its predicates, coverings and commutations, or why it cannot be told.
pub fn proof(abstraction: &mut PredicateAbstraction<'_>, tree: &Tree) -> Result<ProofFile, String> {
    let vocabulary = &abstraction.machine.vocabulary;
    let file = ProofFile {
        program: program_hash(vocabulary.program),
        model: vocabulary.model(),
        properties: abstraction.machine.properties,
        objects: vocabulary.objects().skip(1).map(|(_, object)| object_of(object)).collect(),
        cells: cells(vocabulary, false),
        sync_objects: cells(vocabulary, true),
        ..ProofFile::default()
    };
    let mut writer = ProofWriter {
        abstraction,
        file,
        terms: FxHashMap::default(),
        claims: FxHashMap::default(),
        steps: FxHashMap::default(),
    };
    writer.predicates()?;
    writer.nodes(tree)?;
    Ok(writer.file)
}

struct ProofWriter<'a, 'p> {
    abstraction: &'a mut PredicateAbstraction<'p>,
    file: ProofFile,
    terms: FxHashMap<TermId, u32>,
    claims: FxHashMap<ControlId, u32>,
    steps: FxHashMap<ProofStep, u32>,
}

/// In a file, objects begin with the first that is one.
fn object_number(object: ObjectId) -> u32 {
    object.index() as u32 - 1
}

fn object_of(object: &crate::vocabulary::Object) -> ProofObject {
    let key = match object.key {
        VariableObject::None => unreachable!("only the first object should be none"),
        VariableObject::Function(function) => ProofObjectKey::Function(function),
        VariableObject::Global(global) => ProofObjectKey::Global(global),
        VariableObject::ThreadLocal(global, thread) => ProofObjectKey::ThreadLocal(global, thread),
        VariableObject::Local { thread, depth, function, local } => {
            ProofObjectKey::Local { thread, depth, function, local }
        }
        VariableObject::Allocated { thread, location, ordinal } => {
            ProofObjectKey::Allocated { thread, location, ordinal }
        }
    };
    ProofObject { key, is_array: object.contents == ObjectContents::Array }
}

fn cells(vocabulary: &Vocabulary<'_>, are_sync: bool) -> Vec<(u32, u64, u64)> {
    let all = vocabulary.laid_out(are_sync);
    all.map(|(object, offset, bytes)| (object_number(object), offset, bytes)).collect()
}

fn variable_of(meaning: Meaning) -> Result<ProofVariable, String> {
    Ok(match meaning {
        Meaning::Register { thread, depth, function, register } => {
            ProofVariable::Register { thread, depth, function, register }
        }
        Meaning::Cell { object, offset, bytes } => ProofVariable::Cell { object: object_number(object), offset, bytes },
        Meaning::Result { thread } => ProofVariable::Result { thread },
        Meaning::Choice { .. } | Meaning::Read { .. } | Meaning::Instance { .. } => {
            return Err("a predicate over a choice".to_owned());
        }
    })
}

impl ProofWriter<'_, '_> {
    fn predicates(&mut self) -> Result<(), String> {
        for index in 0..self.abstraction.predicates.len() {
            let term = self.abstraction.predicates[index].term;
            let number = self.term(term)?;
            self.file.predicates.push(number);
        }
        Ok(())
    }

    /// The number of a term, with the terms below it.
    fn term(&mut self, wanted: TermId) -> Result<u32, String> {
        let vocabulary = &self.abstraction.machine.vocabulary;
        let (mut seen, mut open, mut order) = (FxHashSet::default(), vec![wanted], Vec::new());
        while let Some(next) = open.pop() {
            if self.terms.contains_key(&next) || !seen.insert(next) {
                continue;
            }
            order.push(next);
            if let Term::Variable(variable) = vocabulary.terms.get(next)
                && let Meaning::Read { place, .. } = vocabulary.meaning(variable)
            {
                open.push(place);
            }
            open.extend(vocabulary.terms.get(next).operands());
        }
        // Operands come before the terms over them, and places before the reads.
        order.sort_unstable_by_key(|term| term.index());
        for term in order {
            let entry = self.entry(term)?;
            self.terms.insert(term, self.file.terms.len() as u32);
            self.file.terms.push(entry);
        }
        Ok(self.terms[&wanted])
    }

    fn entry(&self, term: TermId) -> Result<ProofTerm, String> {
        let vocabulary = &self.abstraction.machine.vocabulary;
        let of = |operand: TermId| self.terms[&operand];
        Ok(match vocabulary.terms.get(term) {
            Term::Boolean(value) => ProofTerm::Boolean(value),
            Term::Constant { width, value } => ProofTerm::Constant { width, value },
            Term::Variable(variable) => self.variable_entry(term, variable)?,
            Term::Not(a) => ProofTerm::Not(of(a)),
            Term::And(a, b) => ProofTerm::And(of(a), of(b)),
            Term::Xor(a, b) => ProofTerm::Xor(of(a), of(b)),
            Term::Ite(condition, a, b) => ProofTerm::Ite(of(condition), of(a), of(b)),
            Term::Unary(op, a) => ProofTerm::Unary(op, of(a)),
            Term::Binary(op, a, b) => ProofTerm::Binary(op, of(a), of(b)),
            Term::Compare(relation, a, b) => ProofTerm::Compare(relation, of(a), of(b)),
            Term::Concat(a, b) => ProofTerm::Concat(of(a), of(b)),
            Term::Extract { arg, high, low } => ProofTerm::Extract { arg: of(arg), high, low },
            Term::SignExtend { arg, width } => ProofTerm::SignExtend { arg: of(arg), width },
            Term::Filled(_) | Term::Store(..) => return Err("a predicate over a whole array".to_owned()),
        })
    }

    fn variable_entry(&self, term: TermId, variable: VariableId) -> Result<ProofTerm, String> {
        let vocabulary = &self.abstraction.machine.vocabulary;
        if let Meaning::Read { array, bytes, place } = vocabulary.meaning(variable) {
            return Ok(ProofTerm::Element { array: object_number(array), bytes, place: self.terms[&place] });
        }
        let bits = match vocabulary.terms.sort(term) {
            Sort::Bool => 1,
            Sort::BitVec(width) => width as u8,
            Sort::Array(_) => return Err("a predicate over a whole array".to_owned()),
        };
        Ok(ProofTerm::Variable(variable_of(vocabulary.meaning(variable))?, bits))
    }

    fn nodes(&mut self, tree: &Tree) -> Result<(), String> {
        for node in &tree.nodes {
            let claims = self.claims_of(node.control)?;
            let mut sleep = Vec::new();
            for &edge in node.sleep.iter().filter(|_| node.covered_by.is_none()) {
                sleep.extend(self.step(node.control, edge));
            }
            sleep.sort_unstable();
            self.file.nodes.push(ProofNode {
                claims,
                held: node.held.to_vec(),
                sleep,
                moves: Vec::new(),
                covered_by: node.covered_by,
            });
        }
        // A node that is covered sleeps as the other one does: it is enough that these steps sleep.
        for index in 0..tree.nodes.len() {
            if let Some(other) = tree.nodes[index].covered_by {
                self.file.nodes[index].sleep = self.file.nodes[other as usize].sleep.clone();
            }
        }
        for (index, node) in tree.nodes.iter().enumerate() {
            let Some((parent, edge)) = node.parent else { continue };
            let step = self.step(tree.nodes[parent as usize].control, edge);
            let step = step.ok_or_else(|| "a move that is none".to_owned())?;
            self.file.nodes[parent as usize].moves.push((step, index as u32));
        }
        Ok(())
    }

    fn claims_of(&mut self, id: ControlId) -> Result<u32, String> {
        if let Some(&known) = self.claims.get(&id) {
            return Ok(known);
        }
        let control = self.abstraction.machine.control(id).clone();
        let mut claims = Vec::new();
        for (&variable, &known) in &control.known {
            let claim = match known {
                KnownValue::Pointer(object, offset) => ProofClaim::Pointer(object_number(object), offset),
                KnownValue::Number(number) => ProofClaim::Number(number),
                KnownValue::Lost => ProofClaim::Lost,
            };
            claims.push((variable_of(self.abstraction.machine.vocabulary.meaning(variable))?, claim));
        }
        let number = self.file.claims.len() as u32;
        self.file.claims.push(claims);
        self.claims.insert(id, number);
        Ok(number)
    }

    /// An edge as it is taken from a control state, if it can be.
    fn step(&mut self, from: ControlId, edge: EdgeId) -> Option<u32> {
        let machine = &mut self.abstraction.machine;
        let thread = machine.edge(edge).thread;
        if !machine.threads(from).contains(&thread) {
            return None;
        }
        let found = machine.moves(from, thread).iter().find(|one| one.edge == edge).copied();
        let step = found.and_then(|one| step_of(self.abstraction, one))?;
        let next = self.file.steps.len() as u32;
        let number = *self.steps.entry(step.clone()).or_insert(next);
        if number == next {
            self.file.steps.push(step);
        }
        Some(number)
    }
}

/// Where a thread is, unless it has ended.
fn end_of(control: &Control, thread: u32) -> Option<Location> {
    control.threads[thread as usize].location()
}

/// A move as a step of a file.
fn step_of(abstraction: &PredicateAbstraction<'_>, one: Move) -> Option<ProofStep> {
    let (machine, data) = (&abstraction.machine, abstraction.machine.edge(one.edge));
    let choices = data.choices.iter().filter_map(|choice| match choice {
        Chosen::Value(value) => Some(*value),
        Chosen::Term(_) => None,
    });
    let end = end_of(machine.control(one.target?), data.thread);
    Some(ProofStep { thread: data.thread, trail: data.trail.to_vec(), end, choices: choices.collect() })
}

/// Whether the obligations of a file hold as the engine sees them. The predicates are those of the attempt, in their order.
pub fn holds(
    abstraction: &mut PredicateAbstraction<'_>,
    file: &ProofFile,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let mut controls: Vec<Option<ControlId>> = vec![None; file.nodes.len()];
    controls[0] = Some(abstraction.machine.initial());
    for (index, node) in file.nodes.iter().enumerate().filter(|(_, node)| node.covered_by.is_none()) {
        let Some(id) = controls[index] else { return Ok(false) };
        let held: Held = node.held.clone().into();
        let mut possible: FxHashMap<&ProofStep, Move> = FxHashMap::default();
        for thread in abstraction.machine.threads(id) {
            for &one in abstraction.machine.moves(id, thread).iter() {
                let step = step_of(abstraction, one);
                let named = |number: &u32| Some(&file.steps[*number as usize]) == step.as_ref();
                let is_asleep = step.is_some() && node.sleep.iter().any(named);
                let known = file.steps.iter().find(|known| Some(*known) == step.as_ref());
                possible.extend(known.map(|known| (known, one)));
                let is_taken = node.moves.iter().any(|(number, _)| named(number));
                if !is_asleep && !is_taken && abstraction.is_possible(&held, one.edge, budget)? {
                    return Ok(false);
                }
            }
        }
        let mut earlier: Vec<u32> = node.sleep.clone();
        for &(number, to) in &node.moves {
            let Some(&one) = possible.get(&file.steps[number as usize]) else { return Ok(false) };
            let target = &file.nodes[to as usize];
            controls[to as usize] = one.target;
            let control = one.target.map(|target| abstraction.machine.control(target).clone());
            let Some(control) = control else { return Ok(false) };
            let after = match index {
                0 => abstraction.first_post(one.edge, &control, budget)?,
                _ => abstraction.post(&held, one.edge, &control, budget)?,
            };
            for predicate in target.held.iter().filter(|predicate| !after.contains(predicate)) {
                // The engine does not ask about what a step says nothing about.
                let term = abstraction.predicates[*predicate as usize].term;
                let later = abstraction.before(one.edge, term);
                let mut premises = vec![abstraction.machine.edge(one.edge).guard];
                premises.extend(held.iter().map(|&index| abstraction.predicates[index as usize].term));
                if !abstraction.oracle.implies(&mut abstraction.machine.vocabulary, &premises, later, budget)? {
                    return Ok(false);
                }
            }
            for sleeping in &target.sleep {
                let Some(other) = possible.get(&file.steps[*sleeping as usize]).map(|other| other.edge) else {
                    return Ok(false);
                };
                // What is impossible need not be tried before.
                let is_tried = earlier.contains(sleeping) || !abstraction.is_possible(&held, other, budget)?;
                if !is_tried || !abstraction.commutes(id, &held, one, other, true, budget)? {
                    return Ok(false);
                }
            }
            earlier.push(number);
        }
    }
    Ok(file.nodes.iter().enumerate().all(|(index, node)| {
        let Some(other) = node.covered_by else { return true };
        let by = &file.nodes[other as usize];
        controls[index].is_some()
            && controls[index] == controls[other as usize]
            && by.held.iter().all(|predicate| node.held.contains(predicate))
            && by.sleep.iter().all(|step| node.sleep.contains(step))
    }))
}
