//! The obligations of a proof, one node after the other. See decision 0030 for why they are enough.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::{Budget, StopReason};
use program::{Analyses, Location, PropertySet, Visibility};
use proof::{ProofClaim, ProofFile, ProofNode, ProofStep, ProofTerm, ProofVariable};
use rustc_hash::{FxHashMap, FxHashSet};
use sync::SyncState;
use terms::{Sort, TermId};

use crate::machine::CheckMachine;
use crate::state::{CheckedValue, ExactState, NodeKnowledge, ThreadCourse, ThreadStack};

/// Longer steps are not followed.
const MAX_TRAIL: usize = 2_000;
/// Nor more ways at once.
const MAX_WAYS: usize = 4_000;
/// So often new cells may be found.
const MAX_ROUNDS: u32 = 8;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProofCounts {
    pub nodes: u64,
    /// Predicates and claims shown to hold after a step, or at the beginning.
    pub triples: u64,
    pub coverings: u64,
    pub commutations: u64,
    /// Questions to the solver.
    pub questions: u64,
}

/// Why a proof is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofRefusal {
    /// An obligation does not hold.
    False(String),
    /// Something is not understood.
    Unclear(String),
    /// The file contradicts itself.
    Damaged(String),
    Stopped(StopReason),
}

impl From<StopReason> for ProofRefusal {
    fn from(reason: StopReason) -> Self {
        ProofRefusal::Stopped(reason)
    }
}

/// Checks all obligations of a proof about this program.
pub fn check_proof(analyses: &Analyses<'_>, file: &ProofFile, budget: &Budget) -> Result<ProofCounts, ProofRefusal> {
    file.fits(analyses.program).map_err(ProofRefusal::Damaged)?;
    check_shape(file)?;
    if file.properties.is_empty() {
        return Err(ProofRefusal::Damaged("it is about no property".to_owned()));
    }
    if analyses.get::<Visibility>().observes_addresses() {
        return Err(ProofRefusal::Unclear("the program observes where memory lies".to_owned()));
    }
    let mut machine = CheckMachine::new(analyses, file, budget).map_err(ProofRefusal::Damaged)?;
    for _ in 0..MAX_ROUNDS {
        machine.grew = false;
        let mut check = TreeCheck::new(machine, file);
        let result = check.run();
        let mut counts = check.counts;
        machine = check.machine;
        counts.questions = machine.decider.questions;
        if !machine.grew {
            return result.map(|()| counts);
        }
    }
    Err(ProofRefusal::Unclear("more and more cells".to_owned()))
}

/// Whether the nodes are a tree in the order of their numbers, and nodes that are covered are leaves.
fn check_shape(file: &ProofFile) -> Result<(), ProofRefusal> {
    let refuse = |node: usize, what: &str| Err(ProofRefusal::False(format!("node {node} {what}")));
    if !file.nodes[0].sleep.is_empty() {
        return refuse(0, "has steps that sleep from the beginning");
    }
    let mut parents = vec![0u32; file.nodes.len()];
    for (index, node) in file.nodes.iter().enumerate() {
        for &(_, to) in &node.moves {
            if to as usize <= index {
                return refuse(index, "leads back");
            }
            parents[to as usize] += 1;
        }
        if let Some(other) = node.covered_by {
            if file.nodes[other as usize].covered_by.is_some() || other as usize == index {
                return refuse(index, "is covered by one that is covered");
            }
            if !node.moves.is_empty() {
                return refuse(index, "is covered and goes on");
            }
        }
    }
    match parents.iter().skip(1).position(|&count| count != 1) {
        Some(index) => refuse(index + 1, "is not led to by exactly one"),
        None => Ok(()),
    }
}

/// What is known of a node besides its predicates.
#[derive(Clone)]
struct NodeStanding {
    state: Rc<ExactState>,
    knowledge: Rc<NodeKnowledge>,
}

/// What decides where steps end.
type CutKey = (Vec<ThreadStack>, BTreeMap<(u32, u64), SyncState>, u32);

struct TreeCheck<'a, 'p> {
    machine: CheckMachine<'p>,
    file: &'a ProofFile,
    properties: PropertySet,
    counts: ProofCounts,
    standings: Vec<Option<NodeStanding>>,
    /// The steps that are known of a thread in a state: none may go on where another one ends.
    cuts: FxHashMap<CutKey, FxHashSet<u32>>,
    /// The terms that each predicate is made of, operands first.
    parts: Vec<Rc<[u32]>>,
    /// Predicates in the state at hand.
    predicates: Vec<TermId>,
    covers: FxHashSet<u32>,
}

/// What became of a step that was to be taken somewhere.
enum TakenStep {
    Done(ThreadCourse),
    /// The thread cannot take it.
    Impossible,
    /// The thread would do it in several steps, or something is not understood.
    Refused(String),
}

/// How far a course is along a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Before,
    Done,
    Off,
}

impl<'a, 'p> TreeCheck<'a, 'p> {
    fn new(machine: CheckMachine<'p>, file: &'a ProofFile) -> Self {
        let parts = file.predicates.iter().map(|&term| parts_of(file, term)).collect();
        let covers = file.nodes.iter().filter_map(|node| node.covered_by).collect();
        Self {
            machine,
            file,
            properties: file.properties,
            counts: ProofCounts::default(),
            standings: vec![None; file.nodes.len()],
            cuts: FxHashMap::default(),
            parts,
            predicates: Vec::new(),
            covers,
        }
    }

    fn run(&mut self) -> Result<(), ProofRefusal> {
        self.predicates = (0..self.file.predicates.len()).map(|index| self.instance(index, None)).collect();
        self.check_beginning()?;
        for (index, node) in self.file.nodes.iter().enumerate() {
            if node.covered_by.is_none() {
                self.check_node(index, node)?;
            }
            self.counts.nodes += 1;
        }
        for (index, node) in self.file.nodes.iter().enumerate() {
            if let Some(other) = node.covered_by {
                self.check_covering(index, other as usize)?;
                self.counts.coverings += 1;
            }
        }
        Ok(())
    }

    /// A predicate over the state before a course (or at hand), of what holds after it.
    fn instance(&mut self, predicate: usize, course: Option<&ThreadCourse>) -> TermId {
        let parts = self.parts[predicate].clone();
        let mut found: FxHashMap<u32, TermId> = FxHashMap::default();
        for &part in parts.iter() {
            let of = |operand: &u32| found[operand];
            let machine = &mut self.machine;
            let term = match &self.file.terms[part as usize] {
                ProofTerm::Boolean(value) => machine.terms.boolean(*value),
                ProofTerm::Constant { width, value } => machine.terms.constant(u32::from(*width), *value),
                ProofTerm::Variable(variable, _) => match course {
                    Some(course) => machine.bits_of(course, *variable),
                    None => machine.variable(*variable),
                },
                ProofTerm::Element { array, bytes, place } => {
                    let place = of(place);
                    machine.decider.element(&mut machine.terms, *array, *bytes, place)
                }
                ProofTerm::Not(a) => machine.terms.not(of(a)),
                ProofTerm::And(a, b) => machine.terms.and(of(a), of(b)),
                ProofTerm::Xor(a, b) => machine.terms.xor(of(a), of(b)),
                ProofTerm::Ite(condition, a, b) => machine.terms.ite(of(condition), of(a), of(b)),
                ProofTerm::Unary(op, a) => machine.terms.unary(*op, of(a)),
                ProofTerm::Binary(op, a, b) => machine.terms.binary(*op, of(a), of(b)),
                ProofTerm::Compare(relation, a, b) => machine.terms.compare(*relation, of(a), of(b)),
                ProofTerm::Concat(a, b) => machine.terms.concat(of(a), of(b)),
                ProofTerm::Extract { arg, high, low } => {
                    machine.terms.extract(of(arg), u32::from(*high), u32::from(*low))
                }
                ProofTerm::SignExtend { arg, width } => machine.terms.sign_extend(of(arg), u32::from(*width)),
            };
            found.insert(part, term);
        }
        found[&self.file.predicates[predicate]]
    }

    // The beginning

    /// What the globals hold at the beginning, as conditions.
    fn beginning(&mut self) -> Vec<TermId> {
        let mut all = Vec::new();
        for variable in self.machine.cells_of_globals() {
            let value = match self.machine.initial(variable) {
                Some(CheckedValue::Number(term) | CheckedValue::Address(_, term)) => term,
                _ => continue,
            };
            let cell = self.machine.variable(variable);
            all.push(self.machine.terms.eq(cell, value));
        }
        all
    }

    fn check_beginning(&mut self) -> Result<(), ProofRefusal> {
        let node = &self.file.nodes[0];
        let state = Rc::new(ExactState::initial(self.machine.program.entry));
        let mut knowledge = NodeKnowledge::default();
        for &(variable, claim) in &self.file.claims[node.claims as usize] {
            let holds = match (claim, self.machine.initial(variable)) {
                (ProofClaim::Lost, _) => true,
                (ProofClaim::Pointer(object, offset), Some(CheckedValue::Address(found, place))) => {
                    object == found && offset.is_none_or(|offset| self.machine.terms.as_constant(place) == Some(offset))
                }
                (ProofClaim::Number(number), Some(CheckedValue::Number(term))) => {
                    self.machine.terms.as_constant(term) == Some(number)
                }
                _ => false,
            };
            if !holds {
                return Err(ProofRefusal::False("a claim of node 0 does not hold at the beginning".to_owned()));
            }
            self.counts.triples += 1;
            knowledge.claims.insert(variable, claim);
        }
        for variable in self.machine.cells_of_globals() {
            let is_number = matches!(self.machine.initial(variable), None | Some(CheckedValue::Number(_)));
            if !is_number && !matches!(knowledge.claims.get(&variable), Some(ProofClaim::Pointer(..))) {
                knowledge.lost.insert(variable);
            }
        }
        let premises = self.beginning();
        for &predicate in &node.held {
            let mut question = premises.clone();
            question.push(self.machine.terms.not(self.predicates[predicate as usize]));
            if !self.machine.infeasible(&question)? {
                let text = format!("the predicate {predicate} of node 0 does not hold at the beginning");
                return Err(ProofRefusal::False(text));
            }
            self.counts.triples += 1;
        }
        self.standings[0] = Some(NodeStanding { state, knowledge: Rc::new(knowledge) });
        Ok(())
    }

    // A node

    fn standing(&self, index: usize) -> Result<NodeStanding, ProofRefusal> {
        let known = self.standings[index].clone();
        known.ok_or_else(|| ProofRefusal::False(format!("node {index} is not reached")))
    }

    /// What holds in a node.
    fn premises(&mut self, index: usize) -> Result<Vec<TermId>, ProofRefusal> {
        let NodeStanding { knowledge, .. } = self.standing(index)?;
        let mut premises = self.machine.claimed(&knowledge);
        premises.extend(self.file.nodes[index].held.iter().map(|&one| self.predicates[one as usize]));
        // Only one state is at the beginning, unless the node stands for others.
        if index == 0 && !self.covers.contains(&0) {
            premises.extend(self.beginning());
        }
        premises.sort_unstable();
        premises.dedup();
        Ok(premises)
    }

    fn check_node(&mut self, index: usize, node: &ProofNode) -> Result<(), ProofRefusal> {
        let NodeStanding { state, knowledge } = self.standing(index)?;
        let premises = self.premises(index)?;
        let mut found: FxHashMap<u32, ThreadCourse> = FxHashMap::default();
        for thread in state.eligible() {
            let start = ThreadCourse::new(thread, (*state).clone(), knowledge.clone());
            let all = node.moves.iter().map(|&(step, _)| step).chain(node.sleep.iter().copied());
            let wanted: BTreeSet<u32> = all.filter(|&step| self.file.steps[step as usize].thread == thread).collect();
            for (step, course) in self.ways(index, start, &wanted, &premises)? {
                found.insert(step, course);
            }
        }
        let mut earlier: Vec<u32> = node.sleep.clone();
        for (position, &(step, to)) in node.moves.iter().enumerate() {
            let Some(course) = found.get(&step).cloned() else {
                return Err(self.wrong(index, &format!("step {step} cannot be taken there")));
            };
            self.check_claims(index, &course, &premises, to as usize)?;
            let is_last = !node.moves[position + 1..].iter().any(|&(other, _)| other == step);
            if is_last {
                let targets: Vec<u32> =
                    node.moves.iter().filter(|&&(other, _)| other == step).map(|&(_, to)| to).collect();
                self.check_triples(index, &course, &premises, &targets)?;
            }
            for &other in &self.file.nodes[to as usize].sleep {
                self.check_sleeper(index, &found, &premises, &earlier, (step, &course), other)?;
                self.counts.commutations += 1;
            }
            earlier.push(step);
        }
        Ok(())
    }

    /// What a thread can do next, up to the ends of the steps that are wanted. Every other way must be impossible, or one that
    /// nobody notices and after which the thread does nothing.
    fn ways(
        &mut self,
        index: usize,
        start: ThreadCourse,
        wanted: &BTreeSet<u32>,
        premises: &[TermId],
    ) -> Result<Vec<(u32, ThreadCourse)>, ProofRefusal> {
        let (file, thread) = (self.file, start.thread);
        let (mut found, mut open) = (Vec::new(), vec![start]);
        let mut count = 0;
        while let Some(mut course) = open.pop() {
            count += 1;
            if count > MAX_WAYS || course.trail.len() > MAX_TRAIL {
                return Err(ProofRefusal::Unclear(format!("node {index}: a step of many instructions")));
            }
            if !course.trail.is_empty() {
                let done = wanted.iter().find(|&&step| along(&file.steps[step as usize], &course) == Along::Done);
                if let Some(&step) = done {
                    self.cut(&self.standing(index)?.state.clone(), thread, step)?;
                    found.push((step, course));
                    continue;
                }
                let is_wanted = wanted.iter().any(|&step| along(&file.steps[step as usize], &course) == Along::Before);
                course.is_off = !is_wanted;
                // Who does nothing any more does not begin a loop before.
                let begins_loop = course.place().is_none_or(|place| self.machine.reach.is_loop_head(place))
                    && self.machine.filling_loop(&course).is_none();
                if (!is_wanted && begins_loop) || !self.machine.may_go_on(&course) {
                    if self.is_infeasible(premises, &course.guard)? {
                        continue;
                    }
                    let what = if is_wanted {
                        format!("a step of thread {thread} goes on where others may act")
                    } else {
                        format!("a step of thread {thread} is missing")
                    };
                    return Err(self.wrong(index, &what));
                }
                if !is_wanted && self.is_infeasible(premises, &course.guard)? {
                    continue;
                }
            }
            let (has_effect, in_section) = (course.has_effect, course.own().sections > 0);
            let (is_first, guard) = (course.trail.is_empty(), course.guard.clone());
            let consequences = self.machine.advance(course, self.properties);
            for (conditions, property) in &consequences.errors {
                if !self.is_infeasible(premises, conditions)? {
                    return Err(self.wrong(index, &format!("thread {thread} may violate {property}")));
                }
            }
            for (conditions, what) in consequences.unclear {
                if !self.is_infeasible(premises, &conditions)? {
                    return Err(ProofRefusal::Unclear(format!("{}: {what}", self.place_of(index))));
                }
            }
            for conditions in &consequences.stops {
                if has_effect && !in_section && !self.is_infeasible(premises, conditions)? {
                    return Err(self.wrong(index, &format!("thread {thread} may stop within a step")));
                }
            }
            let may_wait = consequences.is_blocked && !is_first && !in_section;
            if may_wait && !self.is_infeasible(premises, &guard)? {
                return Err(self.wrong(index, &format!("thread {thread} may have to wait within a step")));
            }
            open.extend(consequences.next);
        }
        Ok(found)
    }

    fn is_infeasible(&mut self, premises: &[TermId], guard: &[TermId]) -> Result<bool, ProofRefusal> {
        let mut question = premises.to_vec();
        question.extend(guard);
        Ok(self.machine.infeasible(&question)?)
    }

    /// Notes that a thread takes a step in a state, and refuses it if it takes another one there that goes on at its end.
    fn cut(&mut self, state: &ExactState, thread: u32, step: u32) -> Result<(), ProofRefusal> {
        let key = (state.threads.clone(), state.sync.clone(), thread);
        let known = self.cuts.entry(key).or_default();
        if !known.insert(step) {
            return Ok(());
        }
        let own = &self.file.steps[step as usize];
        let is_apart = known.iter().all(|&other| {
            let other = &self.file.steps[other as usize];
            !goes_on_from(own, other) && !goes_on_from(other, own)
        });
        if is_apart { Ok(()) } else { Err(ProofRefusal::Unclear("steps that end in two places".to_owned())) }
    }

    // A move

    /// Whether what is claimed of a node holds after a course; what is claimed of it then.
    fn check_claims(
        &mut self,
        index: usize,
        course: &ThreadCourse,
        premises: &[TermId],
        to: usize,
    ) -> Result<(), ProofRefusal> {
        let mut knowledge = NodeKnowledge::default();
        for &(variable, claim) in &self.file.claims[self.file.nodes[to].claims as usize] {
            let value = self.machine.value(course, variable);
            let holds = match (claim, value) {
                (ProofClaim::Lost, _) => {
                    knowledge.lost.insert(variable);
                    true
                }
                (ProofClaim::Pointer(object, None), CheckedValue::Address(found, _)) => object == found,
                (ProofClaim::Pointer(object, Some(offset)), CheckedValue::Address(found, place)) => {
                    object == found && self.is_number(premises, course, place, offset)?
                }
                (ProofClaim::Number(number), CheckedValue::Number(term) | CheckedValue::Truth(term)) => {
                    self.is_number(premises, course, term, number)?
                }
                _ => false,
            };
            if !holds {
                return Err(self.wrong(index, &format!("a claim of node {to} does not hold after the step to it")));
            }
            self.counts.triples += 1;
            knowledge.claims.insert(variable, claim);
        }
        let before = &course.knowledge;
        let touched: BTreeSet<ProofVariable> =
            course.values.keys().chain(before.claims.keys()).chain(&before.lost).copied().collect();
        for variable in touched {
            let value = self.machine.value(course, variable);
            let is_number = matches!(value, CheckedValue::Number(_) | CheckedValue::Truth(_));
            let is_claimed = matches!(knowledge.claims.get(&variable), Some(ProofClaim::Pointer(..)));
            if !is_number && !is_claimed && !self.machine.is_dead(&course.state, variable) {
                knowledge.lost.insert(variable);
            }
        }
        let state = Rc::new(course.state.clone());
        self.standings[to] = Some(NodeStanding { state, knowledge: Rc::new(knowledge) });
        Ok(())
    }

    fn is_number(
        &mut self,
        premises: &[TermId],
        course: &ThreadCourse,
        term: TermId,
        number: u64,
    ) -> Result<bool, ProofRefusal> {
        let terms = &mut self.machine.terms;
        let differs = match terms.sort(term) {
            Sort::BitVec(width) if number <= u64::MAX >> (64 - width) => {
                let constant = terms.constant(width, number);
                terms.distinct(term, constant)
            }
            Sort::Bool if number <= 1 => {
                let wanted = terms.boolean(number != 0);
                terms.xor(term, wanted)
            }
            _ => return Ok(false),
        };
        let mut guard = course.guard.clone();
        guard.push(differs);
        self.is_infeasible(premises, &guard)
    }

    /// Whether the predicates of the targets, of one of them if there are several, hold after a course.
    fn check_triples(
        &mut self,
        index: usize,
        course: &ThreadCourse,
        premises: &[TermId],
        targets: &[u32],
    ) -> Result<(), ProofRefusal> {
        let mut guard = course.guard.clone();
        if let &[only] = targets {
            for &predicate in &self.file.nodes[only as usize].held {
                let after = self.instance(predicate as usize, Some(course));
                self.counts.triples += 1;
                if premises.binary_search(&after).is_ok() {
                    continue;
                }
                guard.push(self.machine.terms.not(after));
                if !self.is_infeasible(premises, &guard)? {
                    let what = format!("the predicate {predicate} of node {only} does not hold after the step to it");
                    return Err(self.wrong(index, &what));
                }
                guard.pop();
            }
            return Ok(());
        }
        for &target in targets {
            let mut all = Vec::new();
            for &predicate in &self.file.nodes[target as usize].held {
                all.push(self.instance(predicate as usize, Some(course)));
                self.counts.triples += 1;
            }
            let holds = self.machine.terms.and_all(&all);
            guard.push(self.machine.terms.not(holds));
        }
        if self.is_infeasible(premises, &guard)? {
            return Ok(());
        }
        Err(self.wrong(index, "the predicates of the nodes behind one step do not cover what it leads to"))
    }

    /// Whether a step may be left out after a move: it is tried before, and the two commute.
    fn check_sleeper(
        &mut self,
        index: usize,
        found: &FxHashMap<u32, ThreadCourse>,
        premises: &[TermId],
        earlier: &[u32],
        (step, course): (u32, &ThreadCourse),
        other: u32,
    ) -> Result<(), ProofRefusal> {
        let what = |why: &str| format!("step {other} must not sleep after step {step}: {why}");
        let (first, second) = (&self.file.steps[step as usize], &self.file.steps[other as usize]);
        let (first, second) = (first.thread, second.thread);
        if first == second {
            return Err(self.wrong(index, &what("they are of one thread")));
        }
        // What cannot be taken after the move is not left out.
        let late = match self.take(course.handed_to(second), other, premises)? {
            TakenStep::Done(course) => course,
            TakenStep::Impossible => return Ok(()),
            TakenStep::Refused(why) => return Err(self.wrong(index, &what(&why))),
        };
        if self.is_infeasible(premises, &late.guard)? {
            return Ok(());
        }
        if !earlier.contains(&other) {
            return Err(self.wrong(index, &what("it is not tried before")));
        }
        let alone = match found.get(&other) {
            Some(course) => course.clone(),
            None => return Err(self.wrong(index, &what("it cannot be taken first"))),
        };
        let early = match self.take(alone.handed_to(first), step, premises)? {
            TakenStep::Done(course) => course,
            TakenStep::Impossible => return Err(self.wrong(index, &what("they have an order"))),
            TakenStep::Refused(why) => return Err(self.wrong(index, &what(&why))),
        };
        if late.state != early.state {
            return Err(self.wrong(index, &what("they lead to two states")));
        }
        let mut same = early.guard.clone();
        let written: BTreeSet<ProofVariable> = late.values.keys().chain(early.values.keys()).copied().collect();
        for variable in written {
            if self.machine.is_dead(&late.state, variable) {
                continue;
            }
            let (one, two) = (self.machine.value(&late, variable), self.machine.value(&early, variable));
            match crate::evaluate::equal(&mut self.machine.terms, one, two) {
                Ok(equal) => same.push(equal),
                Err(why) => return Err(self.wrong(index, &what(&why))),
            }
        }
        let same = self.machine.terms.and_all(&same);
        let mut question = late.guard.clone();
        question.push(self.machine.terms.not(same));
        if self.is_infeasible(premises, &question)? {
            return Ok(());
        }
        Err(self.wrong(index, &what("they do not commute")))
    }

    /// Takes a step where it begins.
    fn take(&mut self, mut course: ThreadCourse, step: u32, premises: &[TermId]) -> Result<TakenStep, ProofRefusal> {
        let wanted = &self.file.steps[step as usize];
        let (thread, from) = (course.thread, course.state.clone());
        if !from.eligible().contains(&thread) {
            return Ok(TakenStep::Impossible);
        }
        loop {
            if !course.trail.is_empty() {
                if along(wanted, &course) == Along::Done {
                    self.cut(&from, thread, step)?;
                    return Ok(TakenStep::Done(course));
                }
                if !self.machine.may_go_on(&course) {
                    return Ok(TakenStep::Refused("it goes on where others may act".to_owned()));
                }
            }
            let is_first = course.trail.is_empty();
            let consequences = self.machine.advance(course, self.properties);
            for (conditions, what) in consequences.unclear {
                if !self.is_infeasible(premises, &conditions)? {
                    return Ok(TakenStep::Refused(what));
                }
            }
            if consequences.is_blocked && !is_first {
                return Ok(TakenStep::Refused("it may have to wait".to_owned()));
            }
            let mut next = consequences.next.into_iter().filter(|one| along(wanted, one) != Along::Off);
            match next.next() {
                Some(one) => course = one,
                None => return Ok(TakenStep::Impossible),
            }
        }
    }

    // A covering

    fn check_covering(&mut self, index: usize, other: usize) -> Result<(), ProofRefusal> {
        let (own, by) = (self.standing(index)?, self.standing(other)?);
        let (node, cover) = (&self.file.nodes[index], &self.file.nodes[other]);
        let refuse = |what: &str| Err(ProofRefusal::False(format!("node {index} is not covered by {other}: {what}")));
        if own.state != by.state {
            return refuse("the threads or their synchronisation differ");
        }
        let (own, by) = (&own.knowledge, &by.knowledge);
        let is_lost = |variable: &ProofVariable| by.lost.contains(variable);
        let implied = by.claims.iter().all(|(variable, claim)| match (claim, own.claims.get(variable)) {
            (ProofClaim::Lost, _) => true,
            (ProofClaim::Pointer(object, None), Some(ProofClaim::Pointer(known, _))) => object == known,
            (claim, known) => known == Some(claim),
        });
        let kept = own.claims.iter().all(|(variable, claim)| match claim {
            ProofClaim::Pointer(..) => {
                is_lost(variable) || matches!(by.claims.get(variable), Some(ProofClaim::Pointer(..)))
            }
            ProofClaim::Number(_) | ProofClaim::Lost => true,
        });
        if !implied || !kept || !own.lost.iter().all(is_lost) {
            return refuse("what is known of variables differs");
        }
        let is_subset = |small: &[u32], large: &[u32]| small.iter().all(|one| large.contains(one));
        if !is_subset(&cover.held, &node.held) {
            return refuse("it has predicates that do not hold");
        }
        if !is_subset(&cover.sleep, &node.sleep) {
            return refuse("steps sleep there that must be taken");
        }
        Ok(())
    }

    fn place_of(&self, index: usize) -> String {
        let Some(NodeStanding { state, .. }) = &self.standings[index] else { return format!("node {index}") };
        let place = |(thread, stack): (usize, &ThreadStack)| {
            let at = stack.frames.last()?;
            Some(format!("thread {thread} at {}", self.machine.program.files.describe(self.machine.program.span(*at))))
        };
        let places: Vec<String> = state.threads.iter().enumerate().filter_map(place).collect();
        format!("node {index} ({})", places.join(", "))
    }

    fn wrong(&self, index: usize, what: &str) -> ProofRefusal {
        ProofRefusal::False(format!("{}: {what}", self.place_of(index)))
    }
}

/// The terms below a term and itself, operands first.
fn parts_of(file: &ProofFile, term: u32) -> Rc<[u32]> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![term]);
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match file.terms[next as usize] {
            ProofTerm::Boolean(_) | ProofTerm::Constant { .. } | ProofTerm::Variable(..) => {}
            ProofTerm::Element { place: a, .. }
            | ProofTerm::Not(a)
            | ProofTerm::Unary(_, a)
            | ProofTerm::Extract { arg: a, .. }
            | ProofTerm::SignExtend { arg: a, .. } => open.push(a),
            ProofTerm::And(a, b)
            | ProofTerm::Xor(a, b)
            | ProofTerm::Binary(_, a, b)
            | ProofTerm::Compare(_, a, b)
            | ProofTerm::Concat(a, b) => open.extend([a, b]),
            ProofTerm::Ite(a, b, c) => open.extend([a, b, c]),
        }
    }
    seen.into_iter().collect()
}

/// How far the thread of a course is along a step.
fn along(step: &ProofStep, course: &ThreadCourse) -> Along {
    let (done, place) = (course.trail.len(), course.place());
    if step.thread != course.thread
        || !step.trail.starts_with(&course.trail)
        || !step.choices.starts_with(&course.choices)
    {
        return Along::Off;
    }
    match step.trail.get(done) {
        Some(next) if place == Some(*next) => Along::Before,
        None if place == step.end && course.choices.len() == step.choices.len() => Along::Done,
        _ => Along::Off,
    }
}

/// Whether a step goes on where a shorter one ends.
fn goes_on_from(shorter: &ProofStep, longer: &ProofStep) -> bool {
    let length = shorter.trail.len();
    let next: Option<&Location> = longer.trail.get(length);
    next.is_some()
        && longer.trail.starts_with(&shorter.trail)
        && next == shorter.end.as_ref()
        && longer.choices.starts_with(&shorter.choices)
}
