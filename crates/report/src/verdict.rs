//! Verdicts as text: a headline per property, then what a reader needs to believe it.

use std::fmt::Write;
use std::time::Duration;

use base::{Statistics, StopReason};
use program::{Bounds, InstructionKind, Outcome, Program, Property, Provenances, Trace, UnknownReason};

use crate::assumptions::{Assumption, relevant};
use crate::coverage::{self, Reach};
use crate::excerpt::{Mark, excerpt};
use crate::lanes::{TraceExtent, counted, lanes};
use crate::look::Look;
use crate::provenance;
use crate::race_pair::side_by_side;
use crate::statistics;
use crate::suppression::Suppression;
use crate::text_width::{printable, wrap};
use crate::trace_rows::{thread_label, thread_names};
use crate::verdict_table;

/// An answer in one word, the same in text and JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Violated,
    Proved,
    HoldsUpTo,
    Unknown,
}

impl Verdict {
    pub fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Violated(_) => Verdict::Violated,
            Outcome::Proved => Verdict::Proved,
            Outcome::HoldsUpTo(_) => Verdict::HoldsUpTo,
            Outcome::Unknown(_) => Verdict::Unknown,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Verdict::Violated => "violated",
            Verdict::Proved => "proved",
            Verdict::HoldsUpTo => "holds",
            Verdict::Unknown => "unknown",
        }
    }
}

/// Everything there is to report about one check.
#[derive(Debug)]
pub struct CheckReport<'a> {
    pub program: &'a Program,
    /// Who answered, for example `engine order`.
    pub checker: &'a str,
    pub outcomes: &'a [(Property, Outcome)],
    /// Who gave each of them.
    pub provenance: &'a Provenances,
    pub assumptions: &'a [Assumption],
    pub statistics: &'a Statistics,
    /// Until these answers were known.
    pub elapsed: Duration,
    /// What ended the check before all answers were final.
    pub stopped: Option<StopReason>,
    /// What the user has accepted.
    pub suppressions: &'a [Suppression],
    /// What the executions that were looked at reach.
    pub reach: &'a Reach,
}

/// What to show besides the verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextOptions {
    pub look: Look,
    pub extent: TraceExtent,
    pub statistics: bool,
}

/// The whole report: violations with their interleavings first, then the other answers, then, if there are several, all of
/// them in a table, then what they rest on.
pub fn text(report: &CheckReport<'_>, options: TextOptions) -> String {
    let mut out = String::new();
    for (_, outcome) in report.outcomes {
        if let Outcome::Violated(trace) = outcome {
            out += &violation(report.program, trace, options.extent, options.look);
            for suppression in Suppression::of(report.suppressions, report.program, trace) {
                let _ = writeln!(out, "\nSuppressed: {}", printable(&suppression.reason));
            }
            out.push('\n');
        }
    }
    out += &open_answers(report, options.look);
    if report.outcomes.len() > 1 {
        if !out.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        out += &verdict_table::table(report.program, report.outcomes, options.look);
        out.push('\n');
    } else if report.outcomes.iter().any(|(_, outcome)| !matches!(outcome, Outcome::Violated(_))) {
        out.push('\n');
    }
    out += &summary(report);
    out += &coverage::text(&report.program.files, &report.reach.lines);
    if options.statistics {
        let _ = write!(out, "\nStatistics:\n{}", statistics::table(report.statistics));
    }
    out
}

/// What needs more words than the table has. Properties with the same answer share them.
fn open_answers(report: &CheckReport<'_>, look: Look) -> String {
    let mut groups: Vec<(&Outcome, Vec<Property>)> = Vec::new();
    for (property, outcome) in report.outcomes {
        let same = groups.iter_mut().find(|(known, _)| *known == outcome);
        match (outcome, same) {
            (Outcome::Violated(_), _) => {}
            (outcome, _) if report.outcomes.len() > 1 && needs_one_line(outcome) => {}
            (_, Some((_, properties))) => properties.push(*property),
            (_, None) => groups.push((outcome, vec![*property])),
        }
    }
    let mut out = String::new();
    for (outcome, properties) in groups {
        match outcome {
            Outcome::Violated(_) => {}
            Outcome::Proved => out += &headline(look.good("PROVED"), &properties, claim(properties[0])),
            Outcome::HoldsUpTo(bounds) => out += &bounded(report.program, &properties, bounds, look),
            Outcome::Unknown(reason) => out += &unknown(report.program, &properties, reason, look),
        }
    }
    out
}

/// Whether the line in the table says it all.
fn needs_one_line(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Proved => true,
        Outcome::Unknown(reason) => !matches!(reason, UnknownReason::Unsupported { .. }),
        Outcome::Violated(_) | Outcome::HoldsUpTo(_) => false,
    }
}

/// One violation: headline, excerpt, remarks, lanes. Ends in a newline.
pub fn violation(program: &Program, trace: &Trace, extent: TraceExtent, look: Look) -> String {
    let violation = &trace.violation;
    let names = thread_names(trace);
    let room = look.columns().saturating_sub(violation.property.name().len() + "VIOLATED : ".len());
    let message = wrap(&printable(&violation.message), room).join("\n  ");
    let mut out = headline(look.bad("VIOLATED"), &[violation.property], &message);
    let mut marks =
        vec![Mark::primary(violation.span, format!("in thread {}", thread_label(&names, violation.thread)))];
    for (thread, span, text) in &violation.related {
        marks.push(Mark::secondary(*span, format!("{text} (thread {})", thread_label(&names, *thread))));
    }
    out += &excerpt(&program.files, &marks, look);
    out += &side_by_side(program, trace, look);
    for waiting in &violation.waiting {
        let thread = thread_label(&names, waiting.thread);
        let place = program.files.describe(waiting.span);
        let awaited = waiting.awaited.map_or(String::new(), |event| format!(" {event}"));
        let since = waiting.held_since.map_or(String::new(), |span| format!(" since {}", program.files.describe(span)));
        let holder =
            waiting.holder.map_or(String::new(), |holder| format!(", held by {}{since}", thread_label(&names, holder)));
        let _ = writeln!(out, "  {thread} waits at {place} for {}{awaited}{holder}", printable(&waiting.object));
    }
    out.push('\n');
    out += &lanes(program, trace, extent, look);
    out
}

fn headline(word: String, properties: &[Property], text: &str) -> String {
    let names: Vec<&str> = properties.iter().map(|property| property.name()).collect();
    format!("{word} {}: {text}\n", names.join(", "))
}

fn bounded(program: &Program, properties: &[Property], bounds: &Bounds, look: Look) -> String {
    let within = if bounds.recorded_runs.is_some() { "in" } else { "up to" };
    let text = match properties {
        [property] => format!("{} {within} {bounds}", claim(*property)),
        _ => format!("{within} {bounds}"),
    };
    let mut out = headline(look.unsure("HOLDS"), properties, &text);
    for span in &bounds.cut {
        let _ = writeln!(out, "  the loop or recursion at {} was not fully unwound", program.files.describe(*span));
    }
    out += if bounds.recorded_runs.is_some() {
        "  covers only reorderings of the recorded execution; other paths and inputs are not analysed\n"
    } else if bounds.chosen_by_user {
        "  valid only up to the bound you specified\n"
    } else if bounds.inputs.is_some() {
        "  not a proof: only inputs in this range were tried; choose another range with --nondet\n"
    } else {
        "  not a proof: the resource limit was reached at this bound; try a larger --timeout or --memory\n"
    };
    out
}

fn unknown(program: &Program, properties: &[Property], reason: &UnknownReason, look: Look) -> String {
    let mut out = headline(look.unsure("UNKNOWN"), properties, &printable(&reason.to_string()));
    if let UnknownReason::Unsupported { span, .. } = reason {
        out += &excerpt(&program.files, &[Mark::primary(*span, "unsupported construct is reachable here")], look);
    }
    if let Some(hint) = next_step(reason) {
        let _ = writeln!(out, "  {hint}");
    }
    out
}

/// What the user can do about a property that is unknown.
fn next_step(reason: &UnknownReason) -> Option<&'static str> {
    match reason {
        UnknownReason::Stopped(StopReason::Time) => Some("try a larger --timeout, or a bounded check with --unwind"),
        UnknownReason::Stopped(StopReason::Memory) => Some("try a larger --memory, or a bounded check with --unwind"),
        UnknownReason::Stopped(StopReason::Work | StopReason::Cancelled) | UnknownReason::Limit(_) => None,
        UnknownReason::Unsupported { what, .. } if what.starts_with("call of external function") => {
            Some("give the file that defines the function, or model it with --stub")
        }
        UnknownReason::Unsupported { .. } => None,
        UnknownReason::NotChecked => Some("choose another --engine for this property"),
    }
}

/// What it means that the property holds.
pub fn claim(property: Property) -> &'static str {
    match property {
        Property::Assert => "no assertion fails",
        Property::UnreachCall => "reach_error() is never called",
        Property::NoDataRace => "there is no data race",
        Property::NoDeadlock => "there is no deadlock",
        Property::ValidDeref => "every memory access is valid",
        Property::ValidFree => "every free is valid",
        Property::ValidMemtrack => "no memory is leaked",
        Property::ValidMemcleanup => "all allocated memory is freed at exit",
        Property::NoOverflow => "no signed integer overflow",
        Property::NoDivByZero => "no division by zero",
        Property::NoBadShift => "every shift count is in range",
        Property::LockMisuse => "no lock is misused",
        Property::NoThreadLeak => "every thread is joined or detached",
        Property::NoExitWhileLocked => "no thread lets the process exit while it holds a lock",
        Property::Atomicity => "all transactions are atomic",
    }
}

fn summary(report: &CheckReport<'_>) -> String {
    let verdicts: Vec<Verdict> = report.outcomes.iter().map(|(_, outcome)| Verdict::of(outcome)).collect();
    let seconds = report.elapsed.as_secs_f64();
    let mut done = format!("Done in {seconds:.2} s.{}", provenance::sentences(report));
    let all = |verdict| !verdicts.is_empty() && verdicts.iter().all(|&v| v == verdict);
    done += if all(Verdict::Proved) {
        " All interleavings and all inputs, without any bound."
    } else if verdicts.contains(&Verdict::Violated) {
        " All counterexamples replayed."
    } else {
        ""
    };
    let mut out = wrap(&done, 100).join("\n") + "\n";
    if !verdicts.contains(&Verdict::Violated) {
        out += &scope(report.program);
    }
    out += &coverage::remarks(report);
    out += &walked(report.statistics);
    if let Some(reason) = report.stopped {
        let _ = writeln!(out, "Stopped: {reason}.");
    }
    let texts = report.assumptions.iter().map(|assumption| assumption.text.as_str());
    let is_used = |text: &&str| report.outcomes.iter().any(|(_, o)| relevant(report.assumptions, o).contains(text));
    let texts: Vec<&str> = texts.filter(is_used).collect();
    if !texts.is_empty() {
        out += "Assuming that\n";
        for text in texts {
            out += &format!("  - {}\n", wrap(&printable(text), 96).join("\n    "));
        }
    }
    out
}

/// What engines over the reachability tree have counted, in a line; nothing of others.
fn walked(statistics: &Statistics) -> String {
    let number = |name| statistics.get_count(name) as usize;
    if number("explorations") == 0 {
        return String::new();
    }
    let checks = counted(number("properties"), "check", "checks");
    let interleavings = counted(number("interleavings"), "interleaving", "interleavings");
    let failing = number("violating interleavings");
    format!("{checks}; {interleavings} explored, {failing} violating.\n")
}

/// What was looked at, in a line; nothing if there is no program yet.
fn scope(program: &Program) -> String {
    let written = || program.functions.iter().filter(|function| !function.built_in);
    if written().next().is_none() {
        return String::new();
    }
    // The threads that `--thread` names are started by an entry of ours, which calls nothing but the user's functions.
    let starters = program.functions.iter_enumerated().filter(|(id, one)| !one.built_in || *id == program.entry);
    let instructions = starters.flat_map(|(_, one)| one.blocks.iter()).flat_map(|block| &block.instructions);
    let starts = instructions.filter(|one| matches!(one.kind, InstructionKind::Spawn { .. })).count();
    let functions = counted(written().count(), "function", "functions");
    let threads = match starts {
        0 => "starts no threads".to_owned(),
        _ => format!("starts threads at {}", counted(starts, "place", "places")),
    };
    format!("The program has {functions} and {threads}.\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;
    use base::{FileId, Span};
    use program::{EngineId, VerdictArgument, VerdictProvenance};

    fn report_text(outcomes: &[(Property, Outcome)]) -> String {
        let by = VerdictProvenance { by: EngineId("order"), argument: VerdictArgument::BoundedModelChecking };
        let (program, _) = lost_update();
        let limit = Assumption { text: "memory is sequentially consistent".to_owned(), is_limit: true };
        let report = CheckReport {
            program: &program,
            checker: "engine order",
            outcomes,
            provenance: &outcomes.iter().map(|(property, _)| (*property, by)).collect(),
            assumptions: &[limit],
            statistics: &Statistics::new(),
            elapsed: Duration::from_millis(250),
            stopped: None,
            suppressions: &[],
            reach: &Reach::default(),
        };
        text(&report, TextOptions { look: Look::PLAIN, extent: TraceExtent::Shortened, statistics: false })
    }

    #[test]
    fn a_proof_says_what_it_rests_on() {
        let expected = "\
PROVED assert: no assertion fails

Done in 0.25 s. Proved by bounded model checking (order): assert. All interleavings and all inputs,
without any bound.
The program has 1 function and starts no threads.
Assuming that
  - memory is sequentially consistent
";
        assert_eq!(report_text(&[(Property::Assert, Outcome::Proved)]), expected);
    }

    #[test]
    fn what_was_walked_is_told() {
        let mut statistics = Statistics::new();
        assert_eq!(walked(&statistics), "");
        for (name, count) in
            [("explorations", 1), ("properties", 1), ("interleavings", 3), ("violating interleavings", 2)]
        {
            statistics.count(name, count);
        }
        let expected = "1 check; 3 interleavings explored, 2 violating.\n";
        assert_eq!(walked(&statistics), expected);
    }

    #[test]
    fn a_violation_has_headline_place_and_lanes() {
        let (_, trace) = lost_update();
        let text = report_text(&[(Property::Assert, Outcome::Violated(Box::new(trace)))]);
        let beginning = "\
VIOLATED assert: assertion failed: x == 2
 --> lost.c:7:5
  |
7 |     assert(x == 2);
  |     ^^^^^^ in thread T0 (main)

Counterexample (5 context switches; dotted lines mark switches):
";
        assert!(text.starts_with(beginning), "{text}");
        let end = "Done in 0.25 s. Found by bounded model checking (order): assert. All counterexamples replayed.\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_bound_is_not_called_a_proof() {
        let span = Span { file: FileId::nth(0), line: 2, column: 1, length: 1 };
        let bounds = Bounds { unwind: Some(4), cut: vec![span], ..Bounds::default() };
        let text = report_text(&[(Property::Assert, Outcome::HoldsUpTo(bounds))]);
        let expected = "\
HOLDS assert: no assertion fails up to 4 iterations of each loop
  the loop or recursion at lost.c:2:1 was not fully unwound
  not a proof: the resource limit was reached at this bound; try a larger --timeout or --memory
";
        assert!(text.starts_with(expected), "{text}");
        assert!(!text.contains("PROVED") && !text.contains("without any bound"));
    }

    #[test]
    fn an_unknown_says_why_and_where() {
        let span = Span { file: FileId::nth(0), line: 4, column: 5, length: 14 };
        let reason = UnknownReason::Unsupported { what: "computed goto".to_owned(), span };
        let text = report_text(&[(Property::Assert, Outcome::Unknown(reason))]);
        assert!(text.starts_with("UNKNOWN assert: unsupported: computed goto\n --> lost.c:4:5\n"), "{text}");
    }
}
