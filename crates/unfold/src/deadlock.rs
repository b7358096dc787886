//! Deadlocks by ordering constraints. A *snapshot* is a node of its own that reads, at any moment of an execution, what
//! the synchronisation objects hold. The threads that are *stuck* in it take no step after it: each stands before an
//! action whose guard is false by what the snapshot reads. With that, a deadlock is what the design says:
//!
//! - *global*: there is a stuck thread, and every thread that exists is stuck or has come to its end;
//! - *local*: there is a stuck thread, and every stuck thread waits for owners, all of whom are stuck or have ended.
//!
//! The other threads may be anywhere when the snapshot is taken, so every state of every execution is looked at, and a
//! thread that stands at a failed assume, at a cut or in a spin is simply not stuck. Critical sections and idle rounds
//! lose nothing: a state of the synchronisation objects that some execution reaches is reached without them, too, and
//! what a section holds back of such an object is known to the thread that waits inside the section.
//!
//! A blocking action inside an atomic section keeps the section from being entered; whether it does cannot be told from
//! the objects alone, and the answer is then unknown.

use std::collections::BTreeMap;

use base::Span;
use events::{
    Access, CellKey, Cut, CutKind, Deadlock, Event, Guards, InstanceId, Member, Node, NodeHb, ViolationPoint,
};
use program::Property;
use symbolic::SymValue;
use terms::TermId;

use crate::state::State;
use crate::survey::CellClass;
use crate::unfolder::Unfolder;

/// Where threads may wait, and what the snapshot reads.
#[derive(Default)]
pub(crate) struct Waits {
    points: Vec<WaitingPoint>,
    reads: BTreeMap<CellKey, SnapshotRead>,
    /// For each instance, whether it is stuck.
    stuck: BTreeMap<InstanceId, TermId>,
}

/// A place where an instance may stand before a blocking action.
pub(crate) struct WaitingPoint {
    pub instance: InstanceId,
    /// The instance stands there, and goes no further.
    pub stands: TermId,
    /// What the snapshot reads keeps it there.
    pub blocked: TermId,
    /// Whom it waits for, each under its condition.
    pub owners: Vec<(InstanceId, TermId)>,
}

struct SnapshotRead {
    value: SymValue,
    /// When anybody wants to know.
    conditions: Vec<TermId>,
}

impl Unfolder<'_> {
    pub fn looks_for_deadlocks(&self) -> bool {
        self.options.properties.contains(Property::NoDeadlock)
    }

    /// Whether the instance, which may not exist yet, is stuck.
    pub fn stuck(&mut self, instance: InstanceId) -> TermId {
        let terms = &mut self.graph.terms;
        *self.waits.stuck.entry(instance).or_insert_with(|| terms.bool_variable("stuck"))
    }

    /// What a cell holds in the snapshot, where `condition` holds and the thread waits in this state: what the thread
    /// knows of it, since nobody else can change that while it waits, else what the snapshot reads.
    pub fn contents_in_snapshot(&mut self, state: &State, cell: CellKey, condition: TermId) -> Option<SymValue> {
        let held = state.held.get(&cell).filter(|_| self.is_in_section(state, cell));
        let held = held.map(|held| held.known_value()).map(|(value, known)| (value.clone(), known));
        let known = held.as_ref().map_or(self.graph.terms.boolean(false), |&(_, known)| known);
        let unknown = self.terms().not(known);
        let condition = self.terms().and(condition, unknown);
        let found = if self.graph.terms.as_boolean(unknown) == Some(false) {
            None
        } else if state.single || self.survey.class(cell) == CellClass::Folded {
            Some(state.memory.get(&cell).cloned().unwrap_or_else(|| self.fresh_contents(cell)))
        } else {
            Some(self.snapshot_read(cell, condition))
        };
        match (held, found) {
            (Some((value, known)), Some(found)) => SymValue::select(self.terms(), known, &value, &found),
            (Some((value, _)), None) => Some(value),
            (None, found) => found,
        }
    }

    fn snapshot_read(&mut self, cell: CellKey, condition: TermId) -> SymValue {
        if !self.waits.reads.contains_key(&cell) {
            let value = self.fresh_contents(cell);
            self.waits.reads.insert(cell, SnapshotRead { value, conditions: Vec::new() });
        }
        let read = self.waits.reads.get_mut(&cell).expect("a read should just have been made");
        read.conditions.push(condition);
        read.value.clone()
    }

    pub fn note_waiting_point(&mut self, point: WaitingPoint) {
        self.waits.points.push(point);
    }

    /// An action that may block stands inside an atomic section.
    pub fn note_wait_in_section(&mut self, span: Span) {
        let kind = CutKind::Unsupported { what: "a blocking operation inside an atomic section".to_owned() };
        let (literal, reached) = (self.cut_literal(&kind), self.graph.terms.boolean(true));
        self.graph.cuts.push(Cut { kind, span, literal, reached, only_for: Some(Property::NoDeadlock) });
    }

    /// Adds the snapshot and what makes it a deadlock. After all instances.
    pub fn take_snapshot(&mut self) {
        if self.waits.points.is_empty() {
            return;
        }
        let deadlocked = self.terms().bool_variable("deadlocked");
        let members: Vec<Member> =
            self.graph.instances.ids().collect::<Vec<_>>().into_iter().map(|i| self.member(i)).collect();
        self.forbid_unreal_members();
        let condition = self.deadlock_condition(&members);
        let constraint = self.terms().implies(deadlocked, condition);
        self.graph.constraints.push(constraint);
        let node = self.snapshot_node(deadlocked);
        let site = self.nowhere();
        self.graph.violations.push(ViolationPoint {
            property: Property::NoDeadlock,
            condition: deadlocked,
            instance: self.graph.nodes[node].instance,
            location: site.location,
            span: site.span,
            steps: 0,
            node: None,
        });
        self.graph.deadlock = Some(Deadlock { node, deadlocked, members });
    }

    /// Stuck means to stand at one of the waiting points and to be blocked there; ended, to have come to the end.
    fn member(&mut self, instance: InstanceId) -> Member {
        let (stuck, ended) = (self.stuck(instance), self.terms().bool_variable("ended"));
        let finished = self.graph.instances[instance].finished;
        let places = self.disjunction_of_points(instance, |unfolder, index| unfolder.waits.points[index].blocked);
        for (claim, fact) in [(stuck, places), (ended, finished)] {
            let constraint = self.terms().implies(claim, fact);
            self.graph.constraints.push(constraint);
        }
        Member { instance, stuck, ended }
    }

    fn disjunction_of_points(
        &mut self,
        instance: InstanceId,
        condition: impl Fn(&mut Self, usize) -> TermId,
    ) -> TermId {
        let mut places = Vec::new();
        for index in 0..self.waits.points.len() {
            if self.waits.points[index].instance == instance {
                let (stands, condition) = (self.waits.points[index].stands, condition(self, index));
                places.push(self.terms().and(stands, condition));
            }
        }
        self.terms().or_all(&places)
    }

    /// An instance of an earlier pass that this pass does not have.
    fn forbid_unreal_members(&mut self) {
        let count = self.graph.instances.len();
        let unreal: Vec<TermId> = self
            .waits
            .stuck
            .iter()
            .filter(|(instance, _)| instance.0 as usize >= count)
            .map(|(_, &stuck)| stuck)
            .collect();
        for stuck in unreal {
            let never = self.terms().not(stuck);
            self.graph.constraints.push(never);
        }
    }

    fn deadlock_condition(&mut self, members: &[Member]) -> TermId {
        let stuck: Vec<TermId> = members.iter().map(|member| member.stuck).collect();
        let somebody = self.terms().or_all(&stuck);
        let (mut global, mut local) = (Vec::new(), Vec::new());
        for member in members {
            let exists =
                self.graph.instances[member.instance].spawned_by.map(|(_, guard)| self.graph.guards.term(guard));
            let exists = exists.unwrap_or(self.graph.terms.boolean(true));
            let lost = self.is_lost(*member);
            global.push(self.terms().implies(exists, lost));
            let hopeless =
                self.disjunction_of_points(member.instance, |unfolder, index| unfolder.hopeless(index, members));
            local.push(self.terms().implies(member.stuck, hopeless));
        }
        let (global, local) = (self.terms().and_all(&global), self.terms().and_all(&local));
        let either = self.terms().or(global, local);
        self.terms().and(somebody, either)
    }

    fn is_lost(&mut self, member: Member) -> TermId {
        self.terms().or(member.stuck, member.ended)
    }

    /// The wait has owners, and all of them are lost.
    fn hopeless(&mut self, point: usize, members: &[Member]) -> TermId {
        let owners = self.waits.points[point].owners.clone();
        let conditions: Vec<TermId> = owners.iter().map(|&(_, owns)| owns).collect();
        let mut parts = vec![self.terms().or_all(&conditions)];
        for (owner, owns) in owners {
            let lost = match members.get(owner.0 as usize) {
                Some(&member) => self.is_lost(member),
                None => self.graph.terms.boolean(false),
            };
            parts.push(self.terms().implies(owns, lost));
        }
        self.terms().and_all(&parts)
    }

    fn snapshot_node(&mut self, deadlocked: TermId) -> events::NodeId {
        let span = Span::UNKNOWN;
        let instance = self.new_instance("snapshot".to_owned(), None);
        let guard = self.and_guard(Guards::ROOT, deadlocked);
        let node =
            self.graph.nodes.push(Node { instance, guard, events: Vec::new(), span, node_hb: NodeHb::NONE, steps: 0 });
        self.graph.instances[instance].nodes.push(node);
        for (key, read) in std::mem::take(&mut self.waits.reads) {
            let wanted = self.terms().or_all(&read.conditions);
            let guard = self.and_guard(guard, wanted);
            let cell = self.cell(key);
            let event = Event { node, access: Access::Read, cell, guard, value: read.value };
            let event = self.graph.events.push(event);
            self.graph.nodes[node].events.push(event);
        }
        node
    }
}
