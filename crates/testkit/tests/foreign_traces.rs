//! Prediction from foreign traces against all orders of small ones. More of it is `cargo xtask foreign`.

use foreign::Kind;
use testkit::foreign_judge::compare_foreign;
use testkit::foreign_traces::generate_small_trace;

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
