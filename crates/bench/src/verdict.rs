//! What a verifier says, found in its output, and what that is worth.

use serde::{Deserialize, Serialize};

use crate::task::BenchTask;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskVerdict {
    True,
    False,
    /// With the reason, as far as one is given.
    Unknown(String),
}

/// Words of verifiers at the beginning of a line, after an optional label, and what they claim; nothing is "unknown".
const WORDS: [(&str, Option<bool>); 13] = [
    ("VERIFICATION SUCCESSFUL", Some(true)),
    ("VERIFICATION FAILED", Some(false)),
    ("VERIFICATION UNKNOWN", None),
    ("TRUE", Some(true)),
    ("FALSE", Some(false)),
    ("UNKNOWN", None),
    ("SUCCESS", Some(true)),
    ("SAFE", Some(true)),
    ("UNSAFE", Some(false)),
    ("FAILED", Some(false)),
    // Gordian's own, of another version.
    ("PROVED", Some(true)),
    ("VIOLATED", Some(false)),
    ("HOLDS", None),
];

impl TaskVerdict {
    /// The verdict on the last line that has one.
    pub fn in_output(output: &str) -> Option<Self> {
        output.lines().rev().find_map(Self::on_line)
    }

    fn on_line(line: &str) -> Option<Self> {
        let mut line = line.trim();
        for label in ["Verification result:", "RESULT:"] {
            line = line.strip_prefix(label).unwrap_or(line).trim_start();
        }
        let (word, claim) = WORDS.iter().find(|(word, _)| starts_with_word(line, word))?;
        Some(match claim {
            Some(true) => TaskVerdict::True,
            Some(false) => TaskVerdict::False,
            None => TaskVerdict::Unknown(in_parentheses(&line[word.len()..]).to_owned()),
        })
    }

    pub fn word(&self) -> &'static str {
        match self {
            TaskVerdict::True => "true",
            TaskVerdict::False => "false",
            TaskVerdict::Unknown(_) => "unknown",
        }
    }

    /// How far a bounded answer reached, in its own words.
    pub fn bound(&self) -> &str {
        match self {
            TaskVerdict::Unknown(reason) => reason.strip_prefix("holds up to ").unwrap_or(""),
            _ => "",
        }
    }
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
        && !line[word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn in_parentheses(text: &str) -> &str {
    text.trim().strip_prefix('(').map(|text| text.strip_suffix(')').unwrap_or(text)).unwrap_or("")
}

/// How an answer relates to the expected one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Correct,
    Wrong,
    Unknown,
    /// The time (CPU or wall) was used up.
    Timeout,
    /// The memory was used up.
    Memory,
    /// The verifier crashed, or said nothing that is a verdict.
    Error,
    /// An answer, but nobody knows the right one.
    Unlabelled,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Status::Correct => "correct",
            Status::Wrong => "wrong",
            Status::Unknown => "unknown",
            Status::Timeout => "timeout",
            Status::Memory => "memory",
            Status::Error => "error",
            Status::Unlabelled => "unlabelled",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        let all = [
            Status::Correct,
            Status::Wrong,
            Status::Unknown,
            Status::Timeout,
            Status::Memory,
            Status::Error,
            Status::Unlabelled,
        ];
        all.into_iter().find(|status| status.word() == word)
    }

    /// Of a verifier that answered before any limit was reached.
    pub fn of(verdict: &TaskVerdict, task: &BenchTask) -> Self {
        let claim = match verdict {
            TaskVerdict::True => true,
            TaskVerdict::False => false,
            TaskVerdict::Unknown(reason) if reason.contains("time limit") => return Status::Timeout,
            TaskVerdict::Unknown(reason) if reason.contains("memory limit") => return Status::Memory,
            TaskVerdict::Unknown(_) => return Status::Unknown,
        };
        match task.expected {
            None => Status::Unlabelled,
            Some(expected) if expected == claim => Status::Correct,
            Some(_) => Status::Wrong,
        }
    }
}

/// The competition's points for an answer.
pub fn score(status: Status, verdict: Option<&TaskVerdict>) -> i64 {
    match (status, verdict) {
        (Status::Correct, Some(TaskVerdict::True)) => 2,
        (Status::Correct, Some(TaskVerdict::False)) => 1,
        (Status::Wrong, Some(TaskVerdict::True)) => -32,
        (Status::Wrong, Some(TaskVerdict::False)) => -16,
        _ => 0,
    }
}

/// The points that a right answer would get.
pub fn best_score(task: &BenchTask) -> i64 {
    match task.expected {
        Some(true) => 2,
        Some(false) => 1,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_with_a_verdict_counts() {
        let verdict = |text: &str| TaskVerdict::in_output(text);
        assert_eq!(verdict("VIOLATED assert: assertion `x` fails\n  a.c:3:4\n"), Some(TaskVerdict::False));
        assert_eq!(verdict("PROVED assert: no assertion fails\n"), Some(TaskVerdict::True));
        assert_eq!(
            verdict("HOLDS assert: up to 2 iterations of each loop\n"),
            Some(TaskVerdict::Unknown(String::new()))
        );
        assert_eq!(verdict("TRUE\n"), Some(TaskVerdict::True));
        assert_eq!(verdict("warning: x\nFALSE(unreach-call)\nbye\n"), Some(TaskVerdict::False));
        assert_eq!(verdict("TRUE\nVERIFICATION FAILED\n"), Some(TaskVerdict::False));
        assert_eq!(verdict("Verification result: TRUE. Done."), Some(TaskVerdict::True));
        let bounded = verdict("UNKNOWN(holds up to 3 iterations of each loop)").expect("a verdict");
        assert_eq!((bounded.word(), bounded.bound()), ("unknown", "3 iterations of each loop"));
        for nothing in ["", "TRUELY", "it is TRUE", "falsehood", "UNSAFETY"] {
            assert_eq!(verdict(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn points_are_those_of_the_competition() {
        let points = |status, verdict: TaskVerdict| score(status, Some(&verdict));
        assert_eq!(points(Status::Correct, TaskVerdict::True), 2);
        assert_eq!(points(Status::Correct, TaskVerdict::False), 1);
        assert_eq!(points(Status::Wrong, TaskVerdict::True), -32);
        assert_eq!(points(Status::Wrong, TaskVerdict::False), -16);
        assert_eq!(points(Status::Unknown, TaskVerdict::Unknown(String::new())), 0);
        assert_eq!(score(Status::Error, None), 0);
    }
}
