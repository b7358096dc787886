//! `--dump-cnf` and `--dump-smt2`.

use base::Budget;
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver};

use crate::support::{Folder, example};

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Solves DIMACS text with a fresh solver.
fn solve(text: &str) -> SolveResult {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header: Vec<&str> = lines.next().expect("a header").split_ascii_whitespace().collect();
    assert_eq!(header[..2], ["p", "cnf"]);
    let figure = |index: usize| header[index].parse::<usize>().expect("a figure");
    let mut solver = CadicalSolver::new();
    let variables: Vec<_> = (0..figure(2)).map(|_| solver.new_var()).collect();
    let mut clauses = 0;
    for line in lines {
        let numbers: Vec<i32> = line.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
        let (&end, literals) = numbers.split_last().expect("a clause");
        assert_eq!(end, 0);
        let literal = |&number: &i32| -> Lit {
            let variable = variables[number.unsigned_abs() as usize - 1];
            if number > 0 { variable.positive() } else { variable.negative() }
        };
        solver.add_clause(&literals.iter().map(literal).collect::<Vec<_>>());
        clauses += 1;
    }
    assert_eq!(clauses, figure(3));
    solver.solve(&[], &Budget::unlimited())
}

#[test]
fn the_clauses_of_monolithic_are_the_whole_query() {
    let folder = Folder::new();
    for (name, code, expected) in
        [("lost_update.c", 1, SolveResult::Satisfiable), ("lost_update_fixed.c", 0, SolveResult::Unsatisfiable)]
    {
        let fixed = ["--engine", "monolithic", "-p", "assert", "--dump-cnf", "q.cnf"];
        folder.gordian(&[&["check", &example(name)], &fixed[..]].concat()).exits(code);
        let text = read(&folder, "q.cnf");
        assert!(text.starts_with("c assert up to "), "{}", &text[..60]);
        assert!(!text.contains("not in here"), "the order is in the clauses");
        assert_eq!(solve(&text), expected, "{name}");
    }
}

#[test]
fn the_clauses_of_order_say_what_is_missing() {
    let folder = Folder::new();
    let check = ["check", &example("lost_update_fixed.c"), "-p", "assert", "--dump-cnf", "q.cnf"];
    folder.gordian(&check).exits(0);
    let text = read(&folder, "q.cnf");
    assert!(text.lines().nth(1).expect("a line").contains("not part of this file"));
    solve(&text);
}

#[test]
fn each_bound_has_its_files() {
    let folder = Folder::new();
    folder
        .write("loop.c", "#include <assert.h>\nint main(void) { int i = 0; while (i < 9) i += 2; assert(i == 10); }\n");
    // With a largest bound the loop is not unrolled to its end at once.
    let dumps = ["--dump-smt2", "q.smt2", "--dump-cnf", "q.cnf", "-p", "assert", "--max-unwind", "16"];
    folder.gordian(&[&["check", "loop.c"], &dumps[..]].concat()).exits(0);
    for name in ["q.smt2", "q-2.smt2"] {
        let text = read(&folder, name);
        assert!(text.contains("(set-logic QF_BV)") && text.ends_with("(check-sat)\n"), "{text}");
        let balance = text.chars().fold(0i64, |depth, c| depth + i64::from(c == '(') - i64::from(c == ')'));
        assert_eq!(balance, 0);
    }
    assert!(read(&folder, "q-2.cnf").contains("p cnf "));
    folder.gordian(&["check", "loop.c", "--dump-cnf", "no/such/folder/q.cnf"]).exits(2).remarks("cannot be written");
}
