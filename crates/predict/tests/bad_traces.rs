//! Traces that no run has written: whatever stands in a file, reading it and predicting from it gives an answer or says what
//! is wrong.

mod common;

use std::time::Duration;

use base::Budget;
use common::Subject;
use execute::Random;
use predict::trace_text::{HEADER, TraceFile, fingerprint, parse_trace, write_trace};
use predict::{PredictError, PredictOptions, predict_twice};
use program::{Analyses, Property, PropertySet};

fn trace_of(subject: &Subject) -> String {
    let recording = subject.record_by_priority(&[1, 0]);
    let fingerprint = fingerprint(&subject.program);
    write_trace(&TraceFile { sources: vec!["a.c".to_owned()], arguments: None, fingerprint, recording })
}

const EXTREMES: [&str; 7] = ["t0", "b0", "f0", "v0", "0*4294967295", "18446744073709551615", "g0+8"];

fn pick(random: &mut Random, limit: usize) -> usize {
    random.below(limit as u64) as usize
}

/// Words are changed, exchanged, doubled and left out, and so are lines; what is left may end anywhere.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<String>> = text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    for _ in 0..=pick(random, 3) {
        if lines.len() < 4 || lines.iter().any(Vec::is_empty) {
            break;
        }
        // The first lines say what the file is.
        let (line, other) = (2 + pick(random, lines.len() - 2), 2 + pick(random, lines.len() - 2));
        let (word, source) = (pick(random, lines[line].len()), pick(random, lines[other].len()));
        match pick(random, 8) {
            0 => drop(lines.remove(line)),
            1 => lines.swap(line, other),
            2 => lines.insert(line, lines[other].clone()),
            3 => lines[line][word] = lines[other][source].clone(),
            4 => drop(lines[line].remove(word)),
            5 => lines[line][word] += &pick(random, 100).to_string(),
            6 => lines[line][word] = EXTREMES[pick(random, EXTREMES.len())].to_owned(),
            _ => lines.truncate(line),
        }
    }
    lines.into_iter().map(|words| words.join(" ") + "\n").collect()
}

#[test]
fn a_trace_that_was_tampered_with_is_refused_or_predicted_from() {
    let properties = [Property::Assert, Property::NoDataRace, Property::NoDeadlock, Property::Atomicity];
    let (mut refused, mut misfits, mut predicted) = (0, 0, 0);
    for file in ["places/race_candidates.c", "places/either_fails.c", "places/global_handle.c"] {
        let subject = Subject::from_file(file);
        let text = trace_of(&subject);
        let mut random = Random::new(7);
        for _ in 0..400 {
            let Ok(trace) = parse_trace(&mutated(&text, &mut random)) else {
                refused += 1;
                continue;
            };
            let budget = Budget::with_timeout(Duration::from_secs(20));
            let answer = predict_twice(
                &Analyses::new(&subject.program),
                std::slice::from_ref(&trace.recording),
                PropertySet::of(&properties),
                &PredictOptions::default(),
                &budget,
            );
            match answer {
                Ok(_) => predicted += 1,
                Err(PredictError::Misfit(_)) => misfits += 1,
                Err(PredictError::Bug(bug)) => panic!("{file}: {bug}\n{}", write_trace(&trace)),
            }
        }
    }
    assert!(
        refused > 50 && misfits > 50 && predicted > 50,
        "{refused} refused, {misfits} misfits, {predicted} predicted"
    );
}

#[test]
fn a_trace_that_was_written_and_read_says_what_the_run_says() {
    let subject = Subject::from_file("places/race_candidates.c");
    let run = subject.record_by_priority(&[1, 0]);
    let read = parse_trace(&trace_of(&subject)).expect("a trace").recording;
    let ask = |recording| subject.outcome(recording, Property::NoDataRace, &PredictOptions::default());
    assert_eq!(ask(&run), ask(&read));
}

#[test]
fn bytes_of_any_kind_are_no_trace() {
    let mut random = Random::new(3);
    for length in 0..200 {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        assert!(parse_trace(&text).is_err());
        assert!(parse_trace(&format!("{HEADER}\n{text}")).is_err());
    }
}
