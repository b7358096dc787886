//! What the snapshot of a deadlock knows of memory, see `monitor::deadlocks`.

use events::CellKey;
use symbolic::SymValue;
use terms::TermId;

use crate::cells::Cells;
use crate::state::SymState;
use crate::survey::CellClass;

impl Cells<'_> {
    /// What a cell holds in the snapshot, where `condition` holds and the thread waits in this state: what the thread
    /// knows of it, since nobody else can change that while it waits, else what the snapshot reads.
    pub fn contents_in_snapshot(&mut self, state: &SymState, cell: CellKey, condition: TermId) -> Option<SymValue> {
        let held = state.held.get(&cell).filter(|_| self.is_in_section(state, cell));
        let held = held.map(|held| held.known_value()).map(|(value, known)| (value.clone(), known));
        let known = held.as_ref().map_or(self.graph.terms.boolean(false), |&(_, known)| known);
        let unknown = self.terms().not(known);
        let condition = self.terms().and(condition, unknown);
        let found = if self.graph.is_false(unknown) {
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
        if let Some(value) = self.found_in_snapshot(cell, condition) {
            return value;
        }
        let value = self.fresh_contents(cell);
        self.note_snapshot_read(cell, condition, value.clone());
        value
    }
}
