//! Prediction from foreign traces against all orders of small ones. More of it is `cargo xtask foreign`.

use base::Budget;
use foreign::{Kind, TraceIndex, TraceOptions};
use testkit::foreign_judge::compare_foreign;
use testkit::foreign_traces::generate_small_trace;
use testkit::random::Random;

#[test]
fn small_traces_are_predicted_exactly() {
    let mut shown = [0; 3];
    for seed in 1..=400 {
        let trace = generate_small_trace(seed);
        let truth = compare_foreign(&trace).unwrap_or_else(|difference| {
            let mut text = Vec::new();
            foreign::write(&trace, &mut text).expect("memory takes everything");
            panic!("seed {seed}: {difference}\n{}", String::from_utf8_lossy(&text));
        });
        for (index, kind) in [Kind::Race, Kind::Deadlock, Kind::Atomicity].into_iter().enumerate() {
            shown[index] += truth.iter().filter(|(known, _)| *known == kind).count();
        }
    }
    assert!(shown.iter().all(|&count| count > 0), "{shown:?}: too few to tell anything");
}

/// A thread that does nothing can be joined only after it was created.
#[test]
fn an_empty_thread_orders_who_creates_it_before_who_joins_it() {
    let text = "A|r(x)|1\nA|fork(T)|2\nB|join(T)|3\nB|w(x)|4\n";
    let trace = foreign::parse(text.as_bytes()).expect("well formed");
    assert_eq!(compare_foreign(&trace).map(|truth| truth.len()), Ok(0));
}

/// Who creates a thread that does nothing may also join it.
#[test]
fn an_empty_thread_may_be_joined_by_its_creator() {
    let text = "A|fork(T)|1\nA|join(T)|2\nA|w(x)|3\nB|w(x)|4\n";
    let trace = foreign::parse(text.as_bytes()).expect("well formed");
    assert_eq!(compare_foreign(&trace).map(|truth| truth.len()), Ok(1));
}

/// Letters are changed, lines are moved, doubled and left out: what is left is refused, or a trace like any other.
#[test]
fn a_trace_that_was_tampered_with_is_refused_or_predicted_from() {
    let mut random = Random::new(11);
    let (mut refused, mut analysed) = (0, 0);
    for seed in 1..=600 {
        let mut text = Vec::new();
        foreign::write(&generate_small_trace(seed), &mut text).expect("memory takes everything");
        let text = mutated(&String::from_utf8_lossy(&text), &mut random);
        let Ok(trace) = foreign::parse(text.as_bytes()) else {
            refused += 1;
            continue;
        };
        let Ok(survey) = TraceIndex::new(&trace) else {
            refused += 1;
            continue;
        };
        let kinds = vec![Kind::Race, Kind::Deadlock, Kind::Atomicity];
        let options = TraceOptions { kinds, atomic_regions: true, window: 2 + random.below(12) };
        if let Err(wrong) = foreign::analyse(&survey, &options, &Budget::unlimited()) {
            panic!("{}\n{text}", wrong.0);
        }
        analysed += 1;
    }
    assert!(refused > 50 && analysed > 50, "{refused} refused, {analysed} analysed");
}

fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(2) {
        let (line, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(6) {
            0 if lines.len() > 1 => drop(lines.remove(line)),
            1 => lines.swap(line, other),
            2 => lines.insert(line, lines[other].clone()),
            3 => lines[line] = lines[line].replace("T1", "T0"),
            4 => lines[line] = lines[line].replace("acq", "rel"),
            _ => {
                let letter = *b"|()TVL09rw \xff".get(random.below(12)).unwrap_or(&b'x') as char;
                let at = random.below(lines[line].len() + 1);
                if lines[line].is_char_boundary(at) {
                    lines[line].insert(at, letter);
                }
            }
        }
    }
    lines.join("\n")
}
