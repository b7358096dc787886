//! Which rows of a trace a reader needs: those in which threads meet. Everything else is what one thread does for itself.
//!
//! A row matters if something in it starts, joins or synchronises threads, takes an input, allocates or frees, touches
//! a place that several threads touch and somebody writes, or is the violation; so does the first row after a switch, and
//! the last thing that the violating thread did.

use std::collections::{BTreeMap, BTreeSet};

use program::{ThreadId, Trace, TraceEvent, TraceEventKind};

use crate::trace_rows::TraceRow;

/// For each row whether it matters.
pub fn relevant_rows(rows: &[TraceRow], trace: &Trace) -> Vec<bool> {
    let shared = shared_places(trace);
    let matters = |event: &TraceEvent| match &event.kind {
        TraceEventKind::Read { place, .. }
        | TraceEventKind::Write { place, .. }
        | TraceEventKind::Update { place, .. } => shared.contains(&place[..]),
        TraceEventKind::ThreadEnd => false,
        _ => true,
    };
    let last = rows.len().saturating_sub(1);
    let row_matters = |(index, row): (usize, &TraceRow)| {
        let begins_a_turn = index > 0 && rows[index - 1].thread != row.thread;
        let last_words = index + 1 == last && rows[last].thread == row.thread;
        row.failure.is_some()
            || begins_a_turn
            || last_words
            || row.events.iter().any(|&event| matters(&trace.events[event]))
    };
    rows.iter().enumerate().map(row_matters).collect()
}

/// The places through which threads can tell each other something.
fn shared_places(trace: &Trace) -> BTreeSet<&str> {
    let mut users: BTreeMap<&str, (BTreeSet<ThreadId>, bool)> = BTreeMap::new();
    for event in &trace.events {
        let (place, writes) = match &event.kind {
            TraceEventKind::Read { place, .. } => (place, false),
            TraceEventKind::Write { place, .. } => (place, true),
            TraceEventKind::Update { place, new, .. } => (place, new.is_some()),
            _ => continue,
        };
        let (threads, written) = users.entry(place).or_default();
        threads.insert(event.thread);
        *written |= writes;
    }
    let is_shared = |(threads, written): &(BTreeSet<ThreadId>, bool)| threads.len() > 1 && *written;
    users.into_iter().filter(|(_, users)| is_shared(users)).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Look;
    use crate::test_traces::{lost_update, private_work};
    use crate::trace_rows::rows;

    #[test]
    fn where_threads_meet_everything_matters() {
        let (program, trace) = lost_update();
        let rows = rows(&program, &trace, Look::PLAIN.glyphs());
        let matters = relevant_rows(&rows, &trace);
        assert!(matters.iter().all(|&matters| matters), "{rows:?}");
    }

    #[test]
    fn what_a_thread_does_for_itself_does_not() {
        let (program, trace) = private_work(50);
        let rows = rows(&program, &trace, Look::PLAIN.glyphs());
        let matters = relevant_rows(&rows, &trace);
        assert_eq!(matters.iter().filter(|&&matters| matters).count(), 4, "{rows:?}");
        assert!(matters[0] && matters[rows.len() - 1]);
    }
}
