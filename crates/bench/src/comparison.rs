//! Two files of results side by side: what the second solves and the first did not, what it lost, wrong answers of
//! either, and how their times compare on what both solve.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::result_file::{Record, TaskKey};
use crate::verdict::Status;

/// The tasks that both files have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ResultComparison {
    pub pairs: Vec<(Record, Record)>,
    /// Tasks that only one of the files has.
    pub only_first: usize,
    pub only_second: usize,
}

/// Times below this are noise, in seconds.
const LEAST: f64 = 0.01;

impl ResultComparison {
    pub fn new(first: &[Record], second: &[Record]) -> Self {
        let mut others: BTreeMap<TaskKey, &Record> = second.iter().map(|record| (record.key(), record)).collect();
        let mut comparison = ResultComparison::default();
        for record in first {
            match others.remove(&record.key()) {
                Some(other) => comparison.pairs.push((record.clone(), other.clone())),
                None => comparison.only_first += 1,
            }
        }
        comparison.only_second = others.len();
        comparison
    }

    /// Solved by the second and not by the first.
    pub fn gained(&self) -> Vec<&(Record, Record)> {
        self.pairs.iter().filter(|(first, second)| !first.is_solved() && second.is_solved()).collect()
    }

    pub fn lost(&self) -> Vec<&(Record, Record)> {
        self.pairs.iter().filter(|(first, second)| first.is_solved() && !second.is_solved()).collect()
    }

    pub fn wrong(&self) -> Vec<&(Record, Record)> {
        let is_wrong = |record: &Record| record.status == Status::Wrong;
        self.pairs.iter().filter(|(first, second)| is_wrong(first) || is_wrong(second)).collect()
    }

    /// CPU seconds of the second for each of the first, over what both solve: the geometric mean, and the ratio of sums.
    pub fn speed(&self) -> Option<Speed> {
        let both: Vec<(f64, f64)> = self.both_solved().map(|(one, other)| (one.cpu_s, other.cpu_s)).collect();
        if both.is_empty() {
            return None;
        }
        let logarithms: f64 = both.iter().map(|(one, other)| (other.max(LEAST) / one.max(LEAST)).ln()).sum();
        let sums = both.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
        Some(Speed { tasks: both.len(), mean_ratio: (logarithms / both.len() as f64).exp(), sums })
    }

    fn both_solved(&self) -> impl Iterator<Item = &(Record, Record)> {
        self.pairs.iter().filter(|(first, second)| first.is_solved() && second.is_solved())
    }

    /// Ends in a newline.
    pub fn text(&self, first: &str, second: &str) -> String {
        let count =
            |pick: fn(&(Record, Record)) -> &Record| self.pairs.iter().filter(|pair| pick(pair).is_solved()).count();
        let score =
            |pick: fn(&(Record, Record)) -> &Record| self.pairs.iter().map(|pair| pick(pair).score).sum::<i64>();
        let mut out = format!("{} tasks in both files\n", self.pairs.len());
        let _ = writeln!(out, "  {first}: {} solved, score {}", count(|pair| &pair.0), score(|pair| &pair.0));
        let _ = writeln!(out, "  {second}: {} solved, score {}", count(|pair| &pair.1), score(|pair| &pair.1));
        if self.only_first + self.only_second > 0 {
            let _ =
                writeln!(out, "  left out: {} only in {first}, {} only in {second}", self.only_first, self.only_second);
        }
        if let Some(speed) = self.speed() {
            let _ = writeln!(
                out,
                "  on the {} that both solve: {:.1} s and {:.1} s of CPU, {:.2} times the time on average (geometric mean)",
                speed.tasks, speed.sums.0, speed.sums.1, speed.mean_ratio
            );
        }
        for (title, pairs) in self.lists(second) {
            let _ = writeln!(out, "\n{title}: {}", pairs.len());
            for (one, other) in pairs {
                let _ = writeln!(
                    out,
                    "  {} {}: {} -> {} ({:.1} s -> {:.1} s)",
                    one.task,
                    one.property,
                    one.status.word(),
                    other.status.word(),
                    one.cpu_s,
                    other.cpu_s
                );
            }
        }
        out
    }

    /// The three lists with their titles.
    fn lists(&self, second: &str) -> [(String, Vec<&(Record, Record)>); 3] {
        [
            (format!("solved only by {second}"), self.gained()),
            (format!("lost by {second}"), self.lost()),
            ("wrong answers of either".to_owned(), self.wrong()),
        ]
    }

    /// A page with the lists and the plots.
    pub fn html(&self, first: &str, second: &str, plots: &[String]) -> String {
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Comparison</title>\n<style>body {{ \
             font: 15px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px; padding: 0 1.5rem; }} td, th {{ padding: 2px 12px; \
             text-align: left; }} pre {{ font-size: 13px; }}</style></head><body>\n<h1>{} and {}</h1>\n",
            escape(first),
            escape(second)
        );
        let summary = self.text(first, second);
        let _ = writeln!(out, "<pre>{}</pre>", escape(summary.split("\n\n").next().unwrap_or_default()));
        plots.iter().for_each(|plot| out.push_str(plot));
        for (title, pairs) in self.lists(second) {
            let _ = writeln!(out, "<h2>{}: {}</h2>\n<table>", escape(&title), pairs.len());
            for (one, other) in pairs {
                let _ = writeln!(
                    out,
                    "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1} s</td><td>{:.1} s</td></tr>",
                    escape(&one.task),
                    escape(&one.property),
                    one.status.word(),
                    other.status.word(),
                    one.cpu_s,
                    other.cpu_s
                );
            }
            out += "</table>\n";
        }
        out + "</body></html>\n"
    }
}

/// How fast two runs are on the tasks that both solve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    pub tasks: usize,
    /// Less than 1 if the second is faster.
    pub mean_ratio: f64,
    /// CPU seconds of the first and of the second.
    pub sums: (f64, f64),
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_results::result;
    use crate::verdict::TaskVerdict;

    fn record(name: &str, status: Status, milliseconds: u64) -> Record {
        let verdict = match status {
            Status::Correct => Some(TaskVerdict::True),
            Status::Wrong => Some(TaskVerdict::False),
            _ => None,
        };
        Record::new(&result(name, verdict, status, milliseconds))
    }

    fn two() -> ResultComparison {
        let first = [
            record("a.c", Status::Correct, 1_000),
            record("b.c", Status::Timeout, 9_000),
            record("c.c", Status::Correct, 4_000),
            record("d.c", Status::Correct, 4_000),
            record("e.c", Status::Correct, 1),
        ];
        let second = [
            record("a.c", Status::Correct, 2_000),
            record("b.c", Status::Correct, 500),
            record("c.c", Status::Correct, 2_000),
            record("d.c", Status::Wrong, 10),
            record("f.c", Status::Correct, 1),
        ];
        ResultComparison::new(&first, &second)
    }

    #[test]
    fn gains_losses_wrong_answers_and_speed() {
        let expected = "\
4 tasks in both files
  old: 3 solved, score 6
  new: 3 solved, score -10
  left out: 1 only in old, 1 only in new
  on the 2 that both solve: 5.0 s and 4.0 s of CPU, 1.00 times the time on average (geometric mean)

solved only by new: 1
  b.c unreach-call: timeout -> correct (9.0 s -> 0.5 s)

lost by new: 1
  d.c unreach-call: correct -> wrong (4.0 s -> 0.0 s)

wrong answers of either: 1
  d.c unreach-call: correct -> wrong (4.0 s -> 0.0 s)
";
        assert_eq!(two().text("old", "new"), expected);
    }

    #[test]
    fn pages_escape_names() {
        let page = two().html("<old>", "a&b", &[]);
        assert!(page.contains("&lt;old&gt; and a&amp;b") && !page.contains("<old>"));
    }
}
