//! The events of arrays that threads share.
//!
//! A read at an address that is a term reads the last write there. Such a read has a cell of its own for its address, a *view*,
//! which it reads; reads at the same term share one. Each write to the array writes every view, under the condition that its
//! address is the one of the view. So the address of an event is part of its guard, and whoever orders events needs no
//! notion of addresses. Which views there are is known when all threads have been unfolded.

use std::collections::BTreeMap;

use events::{Access, CellKey, CellPart, GuardId, NodeId};
use rustc_hash::FxHashMap;
use symbolic::SymValue;
use terms::TermId;

use crate::cells::Cells;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;

/// What an event reads or writes.
#[derive(Clone, Debug)]
pub(crate) enum ArrayAccess {
    Unit { at: TermId, value: SymValue },
    Whole(SymValue),
}

struct ArrayEvent {
    node: NodeId,
    access: Access,
    guard: GuardId,
    what: ArrayAccess,
}

/// What is done to each array, in the order of the unfolding.
#[derive(Default)]
pub(crate) struct ArrayEvents {
    of_array: BTreeMap<CellKey, Vec<ArrayEvent>>,
}

impl ArrayEvents {
    /// Whether a node writes an array.
    pub fn has_written(&self, array: CellKey, node: Option<NodeId>) -> bool {
        let mut events = self.of_array.get(&array).into_iter().flatten();
        events.any(|event| Some(event.node) == node && event.access == Access::Write)
    }

    /// Adds the events of all arrays to the graph. After all instances.
    pub fn settle(&mut self, pass: &mut Pass<'_>) {
        for (array, events) in std::mem::take(&mut self.of_array) {
            let views = Views::of(&events);
            for event in &events {
                views.add_event(pass, array, event);
            }
        }
    }
}

/// The addresses at which an array is read.
struct Views {
    addresses: Vec<TermId>,
    numbers: FxHashMap<TermId, usize>,
}

impl Views {
    fn of(events: &[ArrayEvent]) -> Self {
        let mut views = Views { addresses: Vec::new(), numbers: FxHashMap::default() };
        for event in events {
            if let (Access::Read, ArrayAccess::Unit { at, .. }) = (event.access, &event.what) {
                let Views { addresses, numbers } = &mut views;
                numbers.entry(*at).or_insert_with(|| {
                    addresses.push(*at);
                    addresses.len() - 1
                });
            }
        }
        views
    }

    fn add_event(&self, pass: &mut Pass<'_>, array: CellKey, event: &ArrayEvent) {
        let &ArrayEvent { node, access, guard, ref what } = event;
        if let (Access::Read, ArrayAccess::Unit { at, value }) = (access, what) {
            let view = view(array, self.numbers[at]);
            pass.graph.add_event(node, access, view, guard, value.clone());
            return;
        }
        for (number, &address) in self.addresses.iter().enumerate() {
            let (guard, value) = match what {
                ArrayAccess::Whole(array) => (guard, pass.unit_of(array, address)),
                ArrayAccess::Unit { at, value } => {
                    let same = pass.terms().eq(*at, address);
                    if pass.graph.is_false(same) {
                        continue;
                    }
                    (pass.and_guard(guard, same), value.clone())
                }
            };
            let value = pass.as_contents(array, &value);
            pass.graph.add_event(node, access, view(array, number), guard, value);
        }
    }
}

fn view(array: CellKey, number: usize) -> CellKey {
    let CellPart::Array(unit) = array.part else { unreachable!("{array} should be an array") };
    CellKey { object: array.object, offset: number as u64, part: CellPart::View(unit) }
}

impl Cells<'_> {
    /// The current instruction accesses a shared array when `condition` holds.
    pub fn add_array_event(
        &mut self,
        state: &SymState,
        array: CellKey,
        access: Access,
        condition: TermId,
        what: ArrayAccess,
        step: &mut OpenStep,
    ) {
        let node = self.graph.node_of_access(state, step);
        let guard = self.guard_of_event(state, access, condition);
        self.array_events.of_array.entry(array).or_default().push(ArrayEvent { node, access, guard, what });
    }

    /// After all instances.
    pub fn settle_arrays(&mut self) {
        let mut events = std::mem::take(&mut self.array_events);
        events.settle(self);
    }
}
