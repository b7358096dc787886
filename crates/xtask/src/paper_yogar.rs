//! The figures of `cargo xtask paper yogar` and how they are made from measurements.
//!
//! A ratio over tasks is a geometric mean over those that both sides solved, unless it says otherwise; a task that
//! `monolithic` does not solve within the limit counts with the limit in the speed-up, which flatters `monolithic`.

use std::fmt::Write;

use crate::figures::{geometric_mean, mean, median};
use crate::measure::{Ending, Measurement};

/// One task by everybody.
pub struct Row {
    pub violated: bool,
    pub monolithic: Measurement,
    /// `scar`, refined by kernel reasons and by cores.
    pub graph: Measurement,
    pub core: Measurement,
    pub order: Measurement,
}

impl Row {
    fn everybody(&self) -> [&Measurement; 4] {
        [&self.monolithic, &self.graph, &self.core, &self.order]
    }

    /// One line for the terminal.
    pub fn summary(&self) -> String {
        let one = |m: &Measurement| format!("{:?} {:.2}", m.ending, m.seconds);
        self.everybody().map(one).join(", ")
    }
}

pub struct Comparison {
    pub figure_2: Row,
    pub rows: Vec<Row>,
    pub unwind: u32,
    pub limit: u64,
}

/// The engines' names, in the order of [`Row::everybody`].
const ENGINES: [&str; 4] = ["monolithic", "scar", "scar, cores only", "order"];

/// Everything as markdown.
pub fn table(comparison: &Comparison) -> String {
    let mut text = String::from("# The claims of the Yogar-CBMC paper, measured\n\n");
    let (unwind, limit) = (comparison.unwind, comparison.limit);
    let build = if cfg!(debug_assertions) { "a development build" } else { "a release build" };
    text.push_str(&format!(
        "Written by `cargo xtask paper yogar`, {build}. All engines: {unwind} iterations of every loop, {limit} s of processor\n\
         time per task, each in a process of its own.\n\n"
    ));
    push_figure_2(&mut text, &comparison.figure_2);
    if !comparison.rows.is_empty() {
        push_answers(&mut text, &comparison.rows);
        push_claims(&mut text, &comparison.rows, limit as f64);
        push_curve(&mut text, &comparison.rows);
    }
    text
}

fn push_figure_2(text: &mut String, figure: &Row) {
    text.push_str("## Figure 2\n\n| | paper | ours |\n|---|---|---|\n");
    let count = |measurement: &Measurement, name| format!("{:.0}", measurement.get(name));
    push_row(text, "refinements", "3", &count(&figure.graph, "refinements"));
    push_row(text, "clauses added", "7", &count(&figure.graph, "added clauses"));
    push_row(text, "clauses of the abstraction", "1,018", &count(&figure.graph, "clauses of the abstraction"));
    push_row(text, "clauses of the monolithic formula", "10,214", &count(&figure.monolithic, "clauses"));
    push_row(text, "refinements by cores only", "", &count(&figure.core, "refinements"));
    let endings: Vec<String> = figure.everybody().iter().map(|m| format!("{:?}", m.ending).to_lowercase()).collect();
    push_row(text, "answers of monolithic, scar, scar by cores, order", "safe", &endings.join(", "));
}

fn push_row(text: &mut String, what: &str, paper: &str, ours: &str) {
    writeln!(text, "| {what} | {paper} | {ours} |").expect("writing to a string should succeed");
}

/// Who solved how much, and whether rightly. A bounded answer about a violated task is not wrong.
fn push_answers(text: &mut String, rows: &[Row]) {
    text.push_str(&format!("\n## Answers on {} tasks\n\n", rows.len()));
    text.push_str("| engine | violated | proved | up to the bound | open | failed | wrong | seconds | median MB |\n");
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    for (index, engine) in ENGINES.iter().enumerate() {
        let of = |row: &Row| row.everybody()[index].clone();
        let count = |ending: Ending| rows.iter().filter(|row| of(row).ending == ending).count();
        let is_wrong = |row: &&Row| match of(row).ending {
            Ending::Violated => !row.violated,
            Ending::Proved => row.violated,
            Ending::Bounded | Ending::Open | Ending::Failed => false,
        };
        let seconds: f64 = rows.iter().map(|row| of(row).seconds).sum();
        let memory: Vec<f64> = rows.iter().map(|row| of(row).memory / 1e6).collect();
        let [violated, proved, bounded, open, failed] =
            [Ending::Violated, Ending::Proved, Ending::Bounded, Ending::Open, Ending::Failed].map(count);
        let wrong = rows.iter().filter(is_wrong).count();
        text.push_str(&format!(
            "| {engine} | {violated} | {proved} | {bounded} | {open} | {failed} | {wrong} | {seconds:.0} | {:.0} |\n",
            median(&memory)
        ));
    }
}

fn push_claims(text: &mut String, rows: &[Row], limit: f64) {
    text.push_str("\n## Claims\n\n| | paper | ours |\n|---|---|---|\n");
    push_sizes(text, rows);
    push_refinements(text, rows);
    push_cores(text, rows);
    push_speed(text, rows, limit);
    push_time(text, rows);
}

fn push_sizes(text: &mut String, rows: &[Row]) {
    let sized = rows.iter().filter(|row| row.monolithic.get("clauses") > 0.0 && row.graph.get("queries") > 0.0);
    let shrunk: Vec<f64> =
        sized.map(|row| row.graph.get("clauses of the abstraction") / row.monolithic.get("clauses")).collect();
    let smallest = shrunk.iter().copied().fold(f64::INFINITY, f64::min);
    let paper = "1/8 on average, 1/1200 at the extreme";
    let ours = format!(
        "1/{:.1} on average ({} tasks), 1/{:.0} at the extreme",
        1.0 / geometric_mean(&shrunk),
        shrunk.len(),
        1.0 / smallest
    );
    push_row(text, "clauses: abstraction against monolithic", paper, &ours);
    let refined = solved_by_graph(rows).filter(|row| row.graph.get("refinements") > 0.0);
    let grown: Vec<f64> =
        refined.map(|row| row.graph.get("added clauses") / row.graph.get("clauses of the abstraction")).collect();
    let ours = format!("median {:.3}, mean {:.3} ({} tasks)", median(&grown), mean(&grown), grown.len());
    push_row(text, "added clauses per clause of the abstraction", "can usually be ignored", &ours);
}

fn solved_by_graph(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.graph.is_solved())
}

fn total(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    rows.iter().map(of).sum()
}

fn push_refinements(text: &mut String, rows: &[Row]) {
    let sum = |name: &str| total(rows, |row| row.graph.get(name));
    let (rounds, reasons, literals) = (sum("refinements"), sum("added clauses"), sum("added literals"));
    let per_task: Vec<f64> = rows
        .iter()
        .filter(|row| row.graph.get("refinements") > 0.0)
        .map(|row| row.graph.get("added clauses") / row.graph.get("refinements"))
        .collect();
    let ours = format!("{:.1} over all rounds; mean of the tasks {:.1}", reasons / rounds, mean(&per_task));
    push_row(text, "core kernel reasons per refinement", "9.3", &ours);
    push_row(text, "literals per core kernel reason", "3.06", &format!("{:.2}", literals / reasons));
    let ours = format!(
        "{:.0} graphs given to the constraint solver, {:.0} refuted by it, of {:.0} counterexamples",
        sum("constraint-based validations"),
        sum("refinements by core"),
        sum("counterexamples of the abstraction")
    );
    push_row(text, "constraint-based refinements", "never", &ours);
    let ours = format!("{:.0} of {rounds:.0} searches for kernel reasons", sum("kernel searches cut"));
    push_row(text, "cut by our limits", "", &ours);
}

fn push_cores(text: &mut String, rows: &[Row]) {
    let solved = rows.iter().filter(|row| row.core.is_solved()).count();
    let ours = format!("{solved} of {}, graph {}", rows.len(), solved_by_graph(rows).count());
    push_row(text, "tasks solved by cores only", "265 of 1047, graph 1047", &ours);
    let sum = |name: &str| total(rows, |row| row.core.get(name));
    let length = format!("{:.2}", sum("added literals") / sum("added clauses"));
    push_row(text, "literals per unsatisfiable core", "7.5", &length);
    let both: Vec<&Row> = solved_by_graph(rows).filter(|row| row.core.is_solved()).collect();
    let needed = |row: &&&Row| row.core.get("refinements") > 0.0;
    let ratio = |row: &&Row| row.core.seconds / row.graph.seconds.max(1e-3);
    let ratios: Vec<f64> = both.iter().filter(needed).map(ratio).collect();
    let sums = |of: fn(&Row) -> f64| both.iter().map(|row| of(row)).sum::<f64>();
    let ours = format!(
        "geometric mean {:.2}, mean {:.1} ({} tasks that need refinement), sum of times {:.2}",
        geometric_mean(&ratios),
        mean(&ratios),
        ratios.len(),
        sums(|row| row.core.seconds) / sums(|row| row.graph.seconds)
    );
    push_row(text, "times faster by graph than by cores, where both solve", "58", &ours);
}

/// Seconds that `monolithic` has to need for a task to be hard.
const HARD: f64 = 2.0;

fn push_speed(text: &mut String, rows: &[Row], limit: f64) {
    for (name, of) in [("scar", (|row| &row.graph) as fn(&Row) -> &Measurement), ("order", |row| &row.order)] {
        let hard = rows.iter().filter(|row| row.monolithic.seconds > HARD && of(row).is_solved());
        let ratios: Vec<f64> = hard
            .map(|row| {
                let monolithic = if row.monolithic.is_solved() { row.monolithic.seconds } else { limit };
                monolithic / of(row).seconds.max(1e-3)
            })
            .collect();
        let what = format!("times faster than monolithic where that needs more than {HARD} s: {name}");
        let paper = if name == "scar" { "35.8 (56 tasks)" } else { "" };
        let ours = format!(
            "geometric mean {:.1}, mean {:.1} ({} tasks)",
            geometric_mean(&ratios),
            mean(&ratios),
            ratios.len()
        );
        push_row(text, &what, paper, &ours);
    }
    for (name, of) in [("scar", (|row| &row.graph) as fn(&Row) -> &Measurement), ("order", |row| &row.order)] {
        let both = rows.iter().filter(|row| row.monolithic.is_solved() && of(row).is_solved());
        let (mut ours, mut theirs) = (0.0, 0.0);
        for row in both {
            ours += of(row).memory;
            theirs += row.monolithic.memory;
        }
        let what = format!("memory against monolithic, sum over tasks that both solve: {name}");
        let paper = if name == "scar" { "43 GB against 84 GB" } else { "" };
        push_row(text, &what, paper, &format!("{:.2}", ours / theirs));
    }
}

fn push_time(text: &mut String, rows: &[Row]) {
    let graph = total(rows, |row| row.graph.sum("graph time"));
    let constraints = total(rows, |row| row.graph.get("constraint-based validation time"));
    let solving = total(rows, |row| row.graph.get("solving time"));
    let ours = format!("{graph:.1} s graph, {solving:.1} s solver, {constraints:.1} s constraint-based validation");
    push_row(text, "where scar spends its time", "graph where scheduling dominates, else solver", &ours);
    let mostly = |row: &&Row| row.graph.sum("graph time") > row.graph.get("solving time");
    let ours = format!("{} of {}", rows.iter().filter(mostly).count(), rows.len());
    push_row(text, "tasks with more graph time than solver time", "", &ours);
}

/// Limits of the curve.
const STEPS: [u32; 10] = [1, 5, 10, 20, 40, 80, 160, 320, 640, 1280];

fn push_curve(text: &mut String, rows: &[Row]) {
    let solved = |of: fn(&Row) -> &Measurement| -> Vec<f64> {
        rows.iter().map(of).filter(|m| m.is_solved()).map(|m| m.get("refinements")).collect()
    };
    let (graph, core) = (solved(|row| &row.graph), solved(|row| &row.core));
    text.push_str("\n## Tasks solved in fewer than n refinements\n\n");
    text.push_str(
        "The paper: most of 1047 in fewer than 80; 644 in fewer than 50.\n\n| n | scar | cores only |\n|---|---|---|\n",
    );
    for step in STEPS {
        let below = |counts: &[f64]| counts.iter().filter(|&&count| count < f64::from(step)).count();
        text.push_str(&format!("| {step} | {} | {} |\n", below(&graph), below(&core)));
    }
    text.push_str(&format!("| any | {} | {} |\n", graph.len(), core.len()));
}
