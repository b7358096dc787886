//! One attempt on a preprocessed file, round by round: `cargo run -p interp --example attempt -- FILE ORDER [WORK [LIST]]`.
//!
//! ORDER is one of loop, outer-loop, sequential, step, none; group and weighted want a LIST of numbers, one for each thread. What is printed
//! are the error paths and the predicates that came of them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

use std::process::ExitCode;

use base::Budget;
use interp::{Attempt, AttemptLimits, OrderKind, PreferenceOrder};
use program::{Analyses, DataModel, Property, PropertySet};

fn order(name: &str, list: &str) -> Option<PreferenceOrder> {
    let numbers = list.split(',').filter_map(|number| number.parse().ok()).collect();
    Some(match name {
        "loop" => PreferenceOrder::new(OrderKind::Loop),
        "outer-loop" => PreferenceOrder::new(OrderKind::OuterLoop),
        "sequential" => PreferenceOrder::new(OrderKind::Sequential),
        "step" => PreferenceOrder::new(OrderKind::Step),
        "none" => PreferenceOrder::new(OrderKind::None),
        "group" => PreferenceOrder::of_groups(numbers),
        "weighted" => PreferenceOrder::of_weights(numbers),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let of = |index: usize| arguments.get(index).map_or("", String::as_str);
    let Some(order) = order(of(2), of(4)) else {
        eprintln!("attempt FILE ORDER [WORK [LIST]]");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(of(1)) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{}: {error}", of(1));
            return ExitCode::from(2);
        }
    };
    let options = frontend::CompileOptions { data_model: DataModel::Ilp32, ..Default::default() };
    let compiled = match frontend::compile_text(of(1), &text, &options) {
        Ok(compiled) => compiled,
        Err(_) => {
            eprintln!("{}: not a program that can be read", of(1));
            return ExitCode::from(2);
        }
    };
    let analyses = Analyses::new(&compiled.program);
    let mut attempt = Attempt::new(&analyses, PropertySet::of(&[Property::Assert, Property::UnreachCall]));
    attempt.log = Some(Vec::new());
    let work = of(3).parse().unwrap_or(3_000_000);
    let budget = Budget::unlimited().with_work(work);
    let conclusion = attempt.run(&order, AttemptLimits::default(), &budget);
    for line in attempt.log.iter().flatten() {
        println!("{line}");
    }
    println!("{conclusion:?}");
    for suggested in attempt.suggested_orders() {
        println!("suggested: {suggested:?}");
    }
    println!("{:?}", attempt.statistics);
    println!("{} units of work, {} conflicts", budget.work.get(), budget.conflicts.get());
    ExitCode::SUCCESS
}
