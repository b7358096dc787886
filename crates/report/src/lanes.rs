//! An interleaving as lanes: one column per thread, time going down, a dotted rule at every context switch.
//!
//! Where the threads do not fit side by side, there is one column for all of them and each row names its thread.

use std::collections::BTreeMap;

use base::Files;
use program::{Program, ThreadId, ThreadState, Trace};
use unicode_width::UnicodeWidthStr;

use crate::look::Look;
use crate::relevance::relevant_rows;
use crate::text_width::{pad, printable, truncate, wrap};
use crate::trace_rows::{TraceRow, context_switches, rows, thread_names, waiting_rows};

/// How much of a trace to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceExtent {
    Full,
    /// Long traces lose what threads do for themselves, and then their middle.
    Shortened,
}

/// A lane that gets less than this, and needs more, is unreadable.
const MIN_LANE: usize = 18;
/// A trace of so few rows is shown as it is.
const SHORT: usize = 30;
/// Fewer rows than this in a row are not worth a line that says they are left out.
const MIN_GAP: usize = 3;
/// Rows kept at the beginning and at the end of a shortened trace.
const KEPT_HEAD: usize = 30;
const KEPT_TAIL: usize = 90;
/// Effects kept at both ends of a shortened row: a loop on one line can have thousands.
const KEPT_EFFECTS: usize = 4;

/// The lanes under one line that says how long they are. Ends in a newline.
pub fn lanes(program: &Program, trace: &Trace, extent: TraceExtent, look: Look) -> String {
    let mut rows = rows(program, trace, look.glyphs());
    let waiting = waiting_rows(program, trace);
    if !waiting.is_empty() {
        // The deadlock itself is told by the rows of those who wait.
        rows.retain(|row| row.failure.is_none() || !row.effects.is_empty());
        rows.iter_mut().for_each(|row| row.failure = None);
    }
    if extent == TraceExtent::Shortened {
        rows.iter_mut().for_each(shorten_effects);
    }
    let switches = context_switches(&rows);
    let mut out = format!(
        "Counterexample ({}; dotted lines mark switches):\n\n",
        counted(switches, "context switch", "context switches")
    );
    let hidden = match extent {
        TraceExtent::Full => vec![false; rows.len()],
        TraceExtent::Shortened => hidden_rows(&rows, trace),
    };
    let all: Vec<TraceRow> = rows.iter().chain(&waiting).cloned().collect();
    let lanes = Lanes::new(program, trace, &all, look);
    lanes.draw(&rows, &hidden, &mut out);
    if !waiting.is_empty() {
        lanes.rule(look.glyphs().rule, &mut out);
        waiting.iter().for_each(|row| lanes.row(row, &mut out));
    }
    out += &thread_states(trace, look);
    out
}

/// In which state each thread is left, those in one state together; nothing if that is not known.
fn thread_states(trace: &Trace, look: Look) -> String {
    use ThreadState::{Exit, Free, Join, Lock, Wait};
    let together = |state: ThreadState| {
        let threads = (0..).map(ThreadId).zip(&trace.states).filter(|(_, own)| **own == state);
        let names: Vec<String> = threads.map(|(thread, _)| thread.to_string()).collect();
        (!names.is_empty()).then(|| format!("{} {}", names.join(", "), state.description()))
    };
    let parts: Vec<String> = [Join, Lock, Wait, Exit, Free].into_iter().filter_map(together).collect();
    if parts.is_empty() {
        return String::new();
    }
    let text = format!("Final thread states: {}", parts.join("; "));
    format!("\n{}\n", wrap(&text, look.columns()).join("\n  "))
}

/// Which rows to leave out: of a long trace what does not matter, and of what is left the middle.
fn hidden_rows(rows: &[TraceRow], trace: &Trace) -> Vec<bool> {
    if rows.len() <= SHORT {
        return vec![false; rows.len()];
    }
    let mut hidden: Vec<bool> = relevant_rows(rows, trace).into_iter().map(|matters| !matters).collect();
    show_short_gaps(&mut hidden);
    let shown: Vec<usize> = (0..rows.len()).filter(|&row| !hidden[row]).collect();
    if shown.len() > KEPT_HEAD + KEPT_TAIL + 1 {
        hidden[shown[KEPT_HEAD]..shown[shown.len() - KEPT_TAIL]].fill(true);
    }
    hidden
}

fn show_short_gaps(hidden: &mut [bool]) {
    for gap in hidden.chunk_by_mut(|one, next| one == next).filter(|gap| gap.len() < MIN_GAP) {
        gap.fill(false);
    }
}

fn shorten_effects(row: &mut TraceRow) {
    let hidden = row.effects.len().saturating_sub(2 * KEPT_EFFECTS);
    if hidden > 1 {
        let replacement = format!("... ({hidden} more) ...");
        row.effects.splice(KEPT_EFFECTS..KEPT_EFFECTS + hidden, [replacement]);
    }
}

pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

struct Lanes<'a> {
    look: Look,
    files: &'a Files,
    /// The threads with a lane, from left to right; none if all share one column.
    lanes: Vec<ThreadId>,
    names: BTreeMap<ThreadId, String>,
    /// Several files are involved, so that a line number needs its file.
    with_file: bool,
    place_width: usize,
    /// One per lane, or the one of the shared column.
    widths: Vec<usize>,
}

impl<'a> Lanes<'a> {
    fn new(program: &'a Program, trace: &Trace, rows: &[TraceRow], look: Look) -> Self {
        let mut files_seen: Vec<_> = rows.iter().filter(|row| row.span.is_known()).map(|row| row.span.file).collect();
        files_seen.sort_unstable();
        files_seen.dedup();
        let mut threads: Vec<ThreadId> = rows.iter().map(|row| row.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let mut lanes = Lanes {
            look,
            files: &program.files,
            lanes: threads,
            names: thread_names(trace),
            with_file: files_seen.len() > 1,
            place_width: 0,
            widths: Vec::new(),
        };
        lanes.place_width = rows.iter().map(|row| lanes.place(row).width()).max().unwrap_or(0).max("line".len());
        lanes.choose_widths(rows);
        lanes
    }

    fn choose_widths(&mut self, rows: &[TraceRow]) {
        let rest = self.look.columns().saturating_sub(self.place_width + 2);
        let needs: Vec<usize> = self.lanes.iter().map(|&thread| self.needed_width(thread, rows)).collect();
        // Each lane has a bar in front of it and a space on both sides.
        self.widths = share(&needs, rest.saturating_sub(3 * needs.len()));
        let is_readable = needs.iter().zip(&self.widths).all(|(&need, &width)| width >= need.min(MIN_LANE));
        if self.lanes.len() > 1 && !is_readable {
            self.lanes.clear();
        }
        if self.lanes.is_empty() {
            self.widths = vec![rest.saturating_sub(3).max(MIN_LANE)];
        }
    }

    /// The width at which nothing in the lane would have to be cut or wrapped.
    fn needed_width(&self, thread: ThreadId, rows: &[TraceRow]) -> usize {
        let own = rows.iter().filter(|row| row.thread == thread);
        let texts = own.flat_map(|row| {
            let failure = row.failure.as_ref().map_or(0, |text| text.width() + self.look.glyphs().failure.width() + 3);
            [row.source.width(), row.effects.join(", ").width() + 2, failure]
        });
        texts.chain([self.title(thread).width()]).max().unwrap_or(0)
    }

    fn title(&self, thread: ThreadId) -> String {
        match self.names.get(&thread).filter(|name| !name.is_empty()) {
            Some(name) => format!("{thread} {name}"),
            None => thread.to_string(),
        }
    }

    fn draw(&self, rows: &[TraceRow], hidden: &[bool], out: &mut String) {
        self.header(out);
        for (index, row) in rows.iter().enumerate() {
            if hidden[index] {
                if index == 0 || !hidden[index - 1] {
                    self.gap(hidden[index..].iter().take_while(|&&hidden| hidden).count(), out);
                }
                continue;
            }
            if index > 0 && rows[index - 1].thread != row.thread {
                self.rule(self.look.glyphs().switch, out);
            }
            self.row(row, out);
        }
    }

    fn header(&self, out: &mut String) {
        let shared = ["thread".to_owned()];
        let titles: Vec<String> = self.lanes.iter().map(|&thread| self.title(thread)).collect();
        let titles = if titles.is_empty() { &shared[..] } else { &titles };
        let mut line = pad(" line", self.place_width + 2);
        for (title, &width) in titles.iter().zip(&self.widths) {
            let title = truncate(title, width, self.look.glyphs().ellipsis);
            line.push_str(&format!("{} {} ", self.bar(), self.look.strong(&pad(&title, width))));
        }
        push_line(out, &line);
        self.rule(self.look.glyphs().rule, out);
    }

    /// A horizontal rule through all lanes.
    fn rule(&self, glyph: &str, out: &mut String) {
        let glyphs = self.look.glyphs();
        let crossing = if glyph == glyphs.rule { glyphs.crossing } else { glyphs.bar };
        let mut line = glyph.repeat(self.place_width + 2);
        for width in &self.widths {
            line.push_str(crossing);
            line.push_str(&glyph.repeat(width + 2));
        }
        push_line(out, &self.look.faint(&line));
    }

    fn gap(&self, hidden: usize, out: &mut String) {
        push_line(out, &self.look.faint(&format!(" ... {hidden} rows omitted; --full-trace shows them")));
    }

    fn row(&self, row: &TraceRow, out: &mut String) {
        let lane = self.lanes.iter().position(|&thread| thread == row.thread).unwrap_or(0);
        let place = self.place(row);
        for (index, (text, bad)) in self.cell(row, self.widths[lane]).iter().enumerate() {
            self.line(if index == 0 { &place } else { "" }, lane, text, *bad, out);
        }
    }

    /// The lines of a row, and whether each tells of the violation.
    fn cell(&self, row: &TraceRow, width: usize) -> Vec<(String, bool)> {
        let source = format!("{}{}", self.tag(row), row.source);
        let indent = if source.is_empty() { "" } else { "  " };
        let mut lines = Vec::new();
        if !source.is_empty() {
            lines.push((truncate(&source, width, self.look.glyphs().ellipsis), false));
        }
        let mut add = |text: &str, bad: bool| {
            let wrapped = wrap(text, width.saturating_sub(indent.len()));
            lines.extend(wrapped.into_iter().map(|line| (format!("{indent}{line}"), bad)));
        };
        add(&row.effects.join(", "), false);
        if let Some(failure) = &row.failure {
            add(&format!("{} {failure}", self.look.glyphs().failure), true);
        }
        lines
    }

    /// Names the thread where lanes do not.
    fn tag(&self, row: &TraceRow) -> String {
        if !self.lanes.is_empty() {
            return String::new();
        }
        format!("[{}] ", self.title(row.thread))
    }

    fn line(&self, place: &str, active: usize, text: &str, bad: bool, out: &mut String) {
        let padding = " ".repeat(self.place_width.saturating_sub(place.width()));
        let mut line = format!(" {padding}{} ", self.look.faint(place));
        for (lane, &width) in self.widths.iter().enumerate() {
            let cell = pad(if lane == active { text } else { "" }, width);
            let cell = if lane == active && bad { self.look.bad(&cell) } else { cell };
            line.push_str(&format!("{} {cell} ", self.bar()));
        }
        push_line(out, &line);
    }

    fn bar(&self) -> String {
        self.look.faint(self.look.glyphs().bar)
    }

    fn place(&self, row: &TraceRow) -> String {
        if !row.span.is_known() {
            return String::new();
        }
        if !self.with_file {
            return row.span.line.to_string();
        }
        let path = self.files.path(row.span.file);
        let name = path.rsplit('/').next().unwrap_or(path);
        format!("{}:{}", truncate(&printable(name), 20, "~"), row.span.line)
    }
}

/// Divides `total` columns: a lane that needs less than its share leaves the rest to the others.
fn share(needs: &[usize], total: usize) -> Vec<usize> {
    let mut by_need: Vec<usize> = (0..needs.len()).collect();
    by_need.sort_by_key(|&lane| needs[lane]);
    let (mut left, mut widths) = (total, vec![0; needs.len()]);
    for (done, lane) in by_need.into_iter().enumerate() {
        widths[lane] = needs[lane].min(left / (needs.len() - done));
        left -= widths[lane];
    }
    widths
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::{long_trace, lost_update, many_threads};

    #[test]
    fn the_lost_update_reads_as_a_story() {
        let (program, trace) = lost_update();
        let expected = "\
Counterexample (5 context switches; dotted lines mark switches):

 line | T0 main                      | T1 add                       | T2 add
------+------------------------------+------------------------------+-------------------------------
    4 | pthread_create(&a, 0, add... |                              |
      |   starts T1                  |                              |
    5 | pthread_create(&b, 0, add... |                              |
      |   starts T2                  |                              |
......|..............................|..............................|...............................
    2 |                              | void *add(void *p) { x++;... |
      |                              |   reads x = 0                |
......|..............................|..............................|...............................
    2 |                              |                              | void *add(void *p) { x++; ...
      |                              |                              |   reads x = 0, writes x = 1
......|..............................|..............................|...............................
    2 |                              | void *add(void *p) { x++;... |
      |                              |   writes x = 1               |
......|..............................|..............................|...............................
    2 |                              |                              | void *add(void *p) { x++; ...
      |                              |                              |   ends
......|..............................|..............................|...............................
    7 | assert(x == 2);              |                              |
      |   reads x = 1                |                              |
      |   !! assertion failed: x ==  |                              |
      |   2                          |                              |
";
        assert_eq!(lanes(&program, &trace, TraceExtent::Shortened, Look::PLAIN), expected);
    }

    #[test]
    fn the_states_of_the_threads_come_last() {
        use ThreadState::{Exit, Free, Lock};
        let (program, mut trace) = lost_update();
        trace.states = vec![Free, Exit, Lock, Exit];
        let text = lanes(&program, &trace, TraceExtent::Shortened, Look::PLAIN);
        assert!(
            text.ends_with("\nFinal thread states: T2 blocked on a lock; T1, T3 terminated; T0 runnable\n"),
            "{text}"
        );
    }

    #[test]
    fn columns_go_where_they_are_needed() {
        assert_eq!(share(&[10, 50, 50], 80), [10, 35, 35]);
        assert_eq!(share(&[40, 5, 9], 80), [40, 5, 9]);
        assert_eq!(share(&[], 80), [0; 0]);
    }

    #[test]
    fn threads_that_do_not_fit_share_a_column() {
        let (program, trace) = many_threads(9);
        let text = lanes(&program, &trace, TraceExtent::Shortened, Look::PLAIN);
        assert!(text.contains(" line | thread\n"), "{text}");
        assert!(text.contains("[T9 add] void *add(void *p) { x++; return 0; }\n      |   reads x = 0\n"), "{text}");
        assert!(text.lines().all(|line| line.width() <= 100), "{text}");
    }

    #[test]
    fn a_long_trace_loses_its_middle_and_keeps_its_end() {
        let (program, trace) = long_trace(500);
        let short = lanes(&program, &trace, TraceExtent::Shortened, Look::PLAIN);
        assert!(short.contains("rows omitted"), "{short}");
        assert!(short.contains("!! assertion failed"));
        let full = lanes(&program, &trace, TraceExtent::Full, Look::PLAIN);
        assert!(!full.contains("rows omitted") && full.len() > short.len());
    }

    #[test]
    fn colour_and_unicode_only_change_the_looks() {
        let (program, trace) = lost_update();
        let look = Look { colour: true, unicode: true, width: 100 };
        let text = lanes(&program, &trace, TraceExtent::Shortened, look);
        assert!(text.contains('│') && text.contains('┄') && text.contains("\x1b["));
        assert!(!lanes(&program, &trace, TraceExtent::Shortened, Look { colour: false, ..look }).contains('\x1b'));
    }
}
