//! `gordian validate` on a correctness witness: every invariant becomes an assertion at its place, and the default engine
//! is asked about these, then about the properties of the witness in the program as it is. The engine proves by itself:
//! the invariants are checked, not used.

use std::time::Instant;

use base::Budget;
use correctness::check::{CheckFailure, Checked};
use engines::{ENGINES, NullObserver, UnwindLimits};
use frontend::placed_check::{CheckKind, PlacedCheck};
use portfolio::{Check, NullListener, Strategy};
use program::{Analyses, Outcome, Program, Property, PropertySet, Trace};
use report::verdict;
use report::witness::invariant_reader::ReadInvariants;

use crate::check::extent;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::input::{self, SourceArguments};
use crate::session::Session;
use crate::shortening::shortened;
use crate::validate::{ValidateArguments, remark_on_hashes};

pub fn validate(
    arguments: &ValidateArguments,
    witness: &ReadInvariants,
    session: &Session,
) -> Result<Exit, CommandFailure> {
    let mut sources = arguments.sources.clone();
    sources.data_model = sources.data_model.or(witness.data_model);
    let source = input::read(&sources, session)?;
    remark_on_hashes(&witness.hashes, &sources.files, session);
    let selected = selected(arguments, witness)?;
    let budget = arguments.limits.budget(session);
    let proof = Proof { arguments, budget: &budget, session };
    let mut doubts: Vec<String> =
        witness.not_understood.iter().map(|what| format!("{what} is not understood")).collect();
    if let Some(exit) = proof.refuted_invariant(&sources, witness, &mut doubts)? {
        return Ok(exit);
    }
    if let Some(exit) = proof.refuted_property(&source.program, selected, &mut doubts)? {
        return Ok(exit);
    }
    if !doubts.is_empty() {
        session.print(format!("NOT CONFIRMED: {}\n", doubts.join("; ")).as_bytes());
        return Ok(Exit::Unknown);
    }
    let invariants = match witness.invariants.len() {
        0 => "it has no invariants".to_owned(),
        1 => "its invariant holds".to_owned(),
        number => format!("all {number} invariants hold"),
    };
    let claims: Vec<&str> = selected.iter().map(verdict::claim).collect();
    session.print(format!("CONFIRMED: {invariants}, and {}\n", claims.join(", ")).as_bytes());
    Ok(Exit::Holds)
}

struct Proof<'a> {
    arguments: &'a ValidateArguments,
    budget: &'a Budget,
    session: &'a Session,
}

impl Proof<'_> {
    /// Shows the invariant that does not hold, if there is one.
    fn refuted_invariant(
        &self,
        sources: &SourceArguments,
        witness: &ReadInvariants,
        doubts: &mut Vec<String>,
    ) -> Result<Option<Exit>, CommandFailure> {
        let placed: Vec<PlacedCheck> = witness.invariants.iter().map(placed_check).collect();
        if placed.is_empty() {
            return Ok(None);
        }
        let budget = half(self.budget);
        let checked = correctness::check(&sources.files, &sources.compile_options(), &placed, ENGINES[0], &budget);
        let Checked { program, outcome, misplaced, .. } = checked.map_err(|failure| match failure {
            CheckFailure::Input(frontend::CompileFailure { files, diagnostics }) => {
                CommandFailure::Input { diagnostics, files }
            }
            CheckFailure::Bug(bug) => CommandFailure::from(bug),
        })?;
        for misplaced in misplaced {
            let PlacedCheck { expression, line, .. } = &placed[misplaced.check];
            doubts.push(format!("the invariant `{expression}` of line {line} was not checked: {}", misplaced.reason));
        }
        match outcome {
            Outcome::Proved => Ok(None),
            Outcome::Violated(trace) => {
                self.show("REFUTED: an invariant of the witness does not hold", &program, &trace);
                Ok(Some(Exit::Violated))
            }
            Outcome::HoldsUpTo(bounds) => {
                doubts.push(format!("the invariants hold up to {bounds}; unknown beyond"));
                Ok(None)
            }
            Outcome::Unknown(reason) => {
                doubts.push(format!("the invariants could not be decided: {reason}"));
                Ok(None)
            }
        }
    }

    /// Shows the violation of a property that the witness says holds, if there is one.
    fn refuted_property(
        &self,
        program: &Program,
        selected: PropertySet,
        doubts: &mut Vec<String>,
    ) -> Result<Option<Exit>, CommandFailure> {
        let report = portfolio::check(&Check {
            analyses: &Analyses::new(program),
            properties: selected,
            strategy: &Strategy::check(ENGINES[0]),
            engine: ENGINES[0],
            unwind: UnwindLimits::default(),
            first: false,
            budget: self.budget,
            observer: &NullObserver,
            listener: &NullListener,
        })?;
        if let Some(trace) = crate::check::first_violation(&report.outcomes) {
            self.show("REFUTED: a property that the witness claims is violated", program, trace);
            return Ok(Some(Exit::Violated));
        }
        doubts.extend(report.outcomes.iter().filter_map(|(property, outcome)| doubt(*property, outcome)));
        Ok(None)
    }

    fn show(&self, headline: &str, program: &Program, trace: &Trace) {
        let full = self.arguments.full_trace;
        let trace = shortened(&Analyses::new(program), trace, full, self.budget);
        let text = verdict::violation(program, &trace, extent(full), self.session.out);
        self.session.print(format!("{headline}\n\n{text}").as_bytes());
    }
}

/// Half of the time that is left: the other half is for the properties.
fn half(budget: &Budget) -> Budget {
    let deadline = budget.remaining_time().and_then(|left| Instant::now().checked_add(left / 2));
    Budget { deadline, ..budget.clone() }
}

fn doubt(property: Property, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Proved | Outcome::Violated(_) => None,
        Outcome::HoldsUpTo(bounds) => Some(format!("{property} holds up to {bounds}; unknown beyond")),
        Outcome::Unknown(reason) => Some(format!("{property} could not be decided: {reason}")),
    }
}

fn placed_check(invariant: &report::witness::invariant_reader::ReadInvariant) -> PlacedCheck {
    PlacedCheck {
        kind: if invariant.is_loop_head { CheckKind::LoopHead } else { CheckKind::Location },
        file_name: invariant.file_name.clone(),
        line: invariant.line,
        column: invariant.column,
        expression: invariant.expression.clone(),
    }
}

/// What the user asks about, or what the witness is about.
fn selected(arguments: &ValidateArguments, witness: &ReadInvariants) -> Result<PropertySet, CommandFailure> {
    if !arguments.properties.named.is_empty() {
        return Ok(arguments.properties.selected());
    }
    let unsaid = "the witness does not say which property holds: give one with --property";
    witness.properties.ok_or_else(|| CommandFailure::Usage(unsaid.to_owned()))
}
