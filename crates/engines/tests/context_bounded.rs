//! The engines over the reachability tree on the programs of the paper they come from: what it says about its running
//! example, and the numbers of interleavings in its tables.

use std::path::Path;

use base::Budget;
use engines::{
    ContextBounded, ContextCount, ContextOptions, Granularity, Job, NullObserver, Reduction, UnwindLimits, draw_tree,
};
use portfolio::{Report, check_alone};
use program::{Analyses, Outcome, Program, Property, PropertySet};

fn compile(name: &str, defines: &[&str]) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs").join(name);
    let mut options = frontend::CompileOptions::default();
    options.preprocess.defines = defines.iter().map(|define| (*define).to_owned()).collect();
    let compiled = frontend::compile(&[path], &options);
    compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program
}

fn check(program: &Program, engine: &str, contexts: ContextOptions) -> Report {
    let named = ContextBounded::named(engine, contexts).expect("an engine");
    let properties = PropertySet::of(&[Property::Assert]);
    let report =
        check_alone(&named, &Analyses::new(program), properties, UnwindLimits::default(), &Budget::unlimited());
    report.unwrap_or_else(|bug| panic!("{engine}: {bug}"))
}

fn statements() -> ContextOptions {
    ContextOptions { granularity: Granularity::Statement, ..ContextOptions::default() }
}

fn decisions(limit: u32) -> ContextOptions {
    ContextOptions { context_bound: Some(limit), context_count: ContextCount::Decisions, ..statements() }
}

fn interleavings(name: &str, defines: &[&str], contexts: ContextOptions) -> (u64, u64) {
    let contexts = ContextOptions { all_violations: true, ..contexts };
    let statistics = check(&compile(name, defines), "lazy", contexts).statistics;
    (statistics.get_count("interleavings"), statistics.get_count("violating interleavings"))
}

fn is_violated(report: &Report) -> bool {
    matches!(report.outcomes[0].1, Outcome::Violated(_))
}

#[test]
fn the_third_interleaving_of_figure_1_fails() {
    let program = compile("figure_1.c", &[]);
    let report = check(&program, "lazy", statements());
    assert!(is_violated(&report));
    assert_eq!(report.statistics.get_count("interleavings"), 3);
    assert_eq!(report.statistics.get_count("queries"), 0, "constants should decide without a solver");
    for engine in ["record", "uw"] {
        assert!(is_violated(&check(&program, engine, statements())), "{engine}");
    }
}

#[test]
fn interleavings_are_counted_as_in_the_tables() {
    assert_eq!(interleavings("micro.c", &["THREADS=2"], decisions(2)), (4, 0));
    assert_eq!(interleavings("micro.c", &["THREADS=3"], decisions(2)), (9, 0));
    assert_eq!(interleavings("fsbench.c", &[], decisions(2)), (676, 0));
    assert_eq!(interleavings("circular_buffer.c", &[], statements()), (12_870, 0));
    assert_eq!(interleavings("micro.c", &["STATEMENTS=2"], decisions(3)), (6, 0), "the last statement is no decision");
}

#[test]
fn a_bound_is_part_of_the_answer() {
    let program = compile("micro.c", &["STATEMENTS=2"]);
    let outcome = check(&program, "lazy", decisions(2)).outcomes.remove(0).1;
    let Outcome::HoldsUpTo(bounds) = outcome else { panic!("{outcome:?}") };
    assert!(bounds.whole_statements && bounds.scheduling_decisions == Some(2) && bounds.chosen_by_user);
    // No increment is lost as long as threads are not switched in the middle of one.
    let accesses = |limit| {
        let contexts = ContextOptions { context_bound: Some(limit), ..ContextOptions::default() };
        is_violated(&check(&program, "lazy", contexts))
    };
    assert!(!accesses(1) && accesses(2), "to one thread, to the other; that the first one ends is forced");
}

#[test]
fn broken_programs_fail_and_right_ones_do_not() {
    for (name, defines) in [
        ("circular_buffer.c", vec!["ITEMS=2"]),
        ("queue.c", vec!["ITEMS=2"]),
        ("stack.c", vec!["ITEMS=2"]),
        ("fsbench.c", vec!["THREADS=2"]),
        ("sync.c", vec!["ITEMS=2"]),
    ] {
        let broken = [defines.clone(), vec!["BROKEN"]].concat();
        let (right, broken) = (compile(name, &defines), compile(name, &broken));
        for engine in ["lazy", "record", "uw"] {
            for reduction in [Reduction::States, Reduction::Sleep, Reduction::All] {
                let reduced = ContextOptions { reduction, ..ContextOptions::default() };
                let answer = check(&right, engine, reduced).outcomes.remove(0).1;
                assert_eq!(answer, Outcome::Proved, "{engine} on {name}, {reduction:?}");
                assert!(is_violated(&check(&broken, engine, reduced)), "{engine} on broken {name}, {reduction:?}");
            }
        }
    }
}

#[test]
fn inputs_are_not_enumerated() {
    let program = compile("micro.c", &["INPUTS", "STATEMENTS=2"]);
    for engine in ["lazy", "record", "uw"] {
        let outcome = check(&program, engine, statements()).outcomes.remove(0).1;
        assert!(matches!(outcome, Outcome::HoldsUpTo(_)), "{engine}: {outcome:?}");
    }
}

/// Threads that only count have one sum, however they interleave.
#[test]
fn a_question_about_a_sum_is_asked_once() {
    let report = check(&compile("micro.c", &["INPUTS"]), "lazy", decisions(6));
    assert_eq!(report.statistics.get_count("interleavings"), 64);
    assert!(report.statistics.get_count("queries") <= 2, "{:?}", report.statistics);
}

/// A depth-first walk would come to the first switches only after billions of interleavings.
#[test]
fn few_switches_are_tried_first() {
    let program = compile("reorder.c", &["SETTERS=9"]);
    for engine in ["lazy", "record", "uw"] {
        assert!(is_violated(&check(&program, engine, decisions(11))), "{engine}");
    }
}

#[test]
fn sleep_sets_leave_out_what_commutes() {
    let program = compile("micro.c", &["INPUTS", "STATEMENTS=2"]);
    let leaves = |contexts: ContextOptions| {
        let report = check(&program, "lazy", contexts);
        assert!(!is_violated(&report), "{contexts:?}");
        report.statistics.get_count("interleavings")
    };
    let sleepy = |contexts| ContextOptions { reduction: Reduction::Sleep, ..contexts };
    let (all, some) = (leaves(ContextOptions::default()), leaves(sleepy(ContextOptions::default())));
    assert!(some * 4 < all, "{some} of {all}");
    // Where they would be unsound they do nothing.
    let bounded = ContextOptions { context_bound: Some(3), ..ContextOptions::default() };
    for contexts in [bounded, statements()] {
        assert_eq!(leaves(contexts), leaves(sleepy(contexts)));
    }
}

#[test]
fn a_drawing_has_a_leaf_for_each_interleaving() {
    let program = compile("figure_1.c", &[]);
    for contexts in [statements(), decisions(3), ContextOptions { context_bound: Some(3), ..statements() }] {
        let job = Job {
            analyses: &Analyses::new(&program),
            properties: PropertySet::of(&[Property::Assert]),
            unwind: UnwindLimits::default(),
            observer: &NullObserver,
        };
        let drawing = draw_tree(&job, &contexts, &Budget::unlimited()).expect("the globals should fit");
        let ends = drawing.nodes.iter().filter(|node| node.end.is_some()).count() as u64;
        assert_eq!((ends, false), (interleavings("figure_1.c", &[], contexts).0, drawing.is_partial));
        let text = drawing.text(&program);
        assert_eq!(text.lines().count(), drawing.nodes.len());
        for state in ["join@", "free@", "exit"] {
            assert!(text.contains(state), "{text}");
        }
        assert_eq!(drawing.dot(&program).matches(" -> ").count(), drawing.nodes.len() - 1);
    }
}
