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
use events::{Access, CellKey, Cut, CutKind, Deadlock, DeadlockMember, InstanceId, ViolationPoint};
use program::Property;
use symbolic::SymValue;
use terms::TermId;

use crate::pass::Pass;

/// Where threads may wait, and what the snapshot reads.
#[derive(Default)]
pub(crate) struct Deadlocks {
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

impl Deadlocks {
    /// Whether the instance, which may not exist yet, is stuck.
    pub fn stuck(&mut self, pass: &mut Pass<'_>, instance: InstanceId) -> TermId {
        let terms = pass.graph.terms();
        *self.stuck.entry(instance).or_insert_with(|| terms.bool_variable("stuck"))
    }

    /// What the snapshot finds in a cell, where the condition holds, if it reads the cell already.
    pub fn value_read(&mut self, cell: CellKey, condition: TermId) -> Option<SymValue> {
        let read = self.reads.get_mut(&cell)?;
        read.conditions.push(condition);
        Some(read.value.clone())
    }

    /// The snapshot reads a cell where the condition holds, and finds this value.
    pub fn add_read(&mut self, cell: CellKey, condition: TermId, value: SymValue) {
        self.reads.insert(cell, SnapshotRead { value, conditions: vec![condition] });
    }

    pub fn add_waiting_point(&mut self, point: WaitingPoint) {
        self.points.push(point);
    }

    /// An action that may block stands inside an atomic section.
    pub fn note_wait_in_section(pass: &mut Pass<'_>, span: Span) {
        let kind = CutKind::Unsupported { what: "a blocking operation inside an atomic section".to_owned() };
        let (literal, reached) = (pass.graph.bound_literal(&kind), pass.graph.terms.boolean(true));
        pass.graph.add_bound(Cut { kind, span, literal, reached, only_for: Some(Property::NoDeadlock) });
    }

    /// Adds the snapshot and what makes it a deadlock. After all instances.
    pub fn settle(&mut self, pass: &mut Pass<'_>) {
        if self.points.is_empty() {
            return;
        }
        let deadlocked = pass.terms().bool_variable("deadlocked");
        let members: Vec<DeadlockMember> =
            pass.graph.instances.ids().collect::<Vec<_>>().into_iter().map(|i| self.member(pass, i)).collect();
        self.forbid_unreal_members(pass);
        let condition = self.deadlock_condition(pass, &members);
        let constraint = pass.terms().implies(deadlocked, condition);
        pass.graph.constrain(constraint);
        let node = self.snapshot_node(pass, deadlocked);
        let site = pass.nowhere();
        let instance = pass.graph.nodes[node].instance;
        pass.graph.add_violation(ViolationPoint {
            property: Property::NoDeadlock,
            condition: deadlocked,
            instance,
            location: site.location,
            span: site.span,
            steps: 0,
            node: None,
        });
        pass.graph.set_deadlock(Deadlock { node, deadlocked, members });
    }

    /// Stuck means to stand at one of the waiting points and to be blocked there; ended, to have come to the end.
    fn member(&mut self, pass: &mut Pass<'_>, instance: InstanceId) -> DeadlockMember {
        let (stuck, ended) = (self.stuck(pass, instance), pass.terms().bool_variable("ended"));
        let finished = pass.graph.instances[instance].finished;
        let places = self.disjunction_of_points(pass, instance, |deadlocks, _, index| deadlocks.points[index].blocked);
        for (claim, fact) in [(stuck, places), (ended, finished)] {
            let constraint = pass.terms().implies(claim, fact);
            pass.graph.constrain(constraint);
        }
        DeadlockMember { instance, stuck, ended }
    }

    fn disjunction_of_points(
        &mut self,
        pass: &mut Pass<'_>,
        instance: InstanceId,
        condition: impl Fn(&mut Self, &mut Pass<'_>, usize) -> TermId,
    ) -> TermId {
        let mut places = Vec::new();
        for index in 0..self.points.len() {
            if self.points[index].instance == instance {
                let (stands, condition) = (self.points[index].stands, condition(self, pass, index));
                places.push(pass.terms().and(stands, condition));
            }
        }
        pass.terms().or_all(&places)
    }

    /// An instance of an earlier pass that this pass does not have.
    fn forbid_unreal_members(&mut self, pass: &mut Pass<'_>) {
        let count = pass.graph.instances.len();
        let unreal: Vec<TermId> =
            self.stuck.iter().filter(|(instance, _)| instance.0 as usize >= count).map(|(_, &stuck)| stuck).collect();
        for stuck in unreal {
            let never = pass.terms().not(stuck);
            pass.graph.constrain(never);
        }
    }

    fn deadlock_condition(&mut self, pass: &mut Pass<'_>, members: &[DeadlockMember]) -> TermId {
        let stuck: Vec<TermId> = members.iter().map(|member| member.stuck).collect();
        let somebody = pass.terms().or_all(&stuck);
        let (mut global, mut local) = (Vec::new(), Vec::new());
        for member in members {
            let exists =
                pass.graph.instances[member.instance].spawned_by.map(|(_, guard)| pass.graph.guards.term(guard));
            let exists = exists.unwrap_or(pass.graph.terms.boolean(true));
            let lost = is_lost(pass, *member);
            global.push(pass.terms().implies(exists, lost));
            let hopeless = self.disjunction_of_points(pass, member.instance, |deadlocks, pass, index| {
                deadlocks.hopeless(pass, index, members)
            });
            local.push(pass.terms().implies(member.stuck, hopeless));
        }
        let (global, local) = (pass.terms().and_all(&global), pass.terms().and_all(&local));
        let either = pass.terms().or(global, local);
        pass.terms().and(somebody, either)
    }

    /// The wait has owners, and all of them are lost.
    fn hopeless(&mut self, pass: &mut Pass<'_>, point: usize, members: &[DeadlockMember]) -> TermId {
        let owners = self.points[point].owners.clone();
        let conditions: Vec<TermId> = owners.iter().map(|&(_, owns)| owns).collect();
        let mut parts = vec![pass.terms().or_all(&conditions)];
        for (owner, owns) in owners {
            let lost = match members.get(owner.0 as usize) {
                Some(&member) => is_lost(pass, member),
                None => pass.graph.terms.boolean(false),
            };
            parts.push(pass.terms().implies(owns, lost));
        }
        pass.terms().and_all(&parts)
    }

    fn snapshot_node(&mut self, pass: &mut Pass<'_>, deadlocked: TermId) -> events::NodeId {
        let node = pass.graph.add_observer("snapshot", deadlocked);
        let guard = pass.graph.nodes[node].guard;
        for (key, read) in std::mem::take(&mut self.reads) {
            let wanted = pass.terms().or_all(&read.conditions);
            let guard = pass.and_guard(guard, wanted);
            pass.graph.add_event(node, Access::Read, key, guard, read.value);
        }
        node
    }
}

fn is_lost(pass: &mut Pass<'_>, member: DeadlockMember) -> TermId {
    pass.terms().or(member.stuck, member.ended)
}
