//! `gordian validate`: follows a violation witness, ours or another tool's, and says whether it leads to a violation. What
//! it does with a correctness witness is in `validate_proof`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::{Budget, Diagnostic, Files};
use engines::confirm::limit_of;
use engines::{ENGINES, NullObserver, UnwindLimits};
use execute::{Code, GuideOptions};
use portfolio::{Check, NullListener, Strategy};
use program::{Analyses, Choices, PropertySet};
use report::verdict;
use report::witness::invariant_reader::{self, ReadInvariants};
use report::witness::{ReadWitness, WitnessFile, graphml_reader, yaml_reader};

use crate::check::extent;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::input::{self, SourceArguments};
use crate::limits::LimitArguments;
use crate::properties::PropertyArguments;
use crate::session::Session;
use crate::shortening::shortened;
use crate::{validate_proof, validate_tree};

/// So long an engine looks for inputs that a witness does not say.
const LONGEST_SEARCH: Duration = Duration::from_secs(30);

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gordian check lost_update.c -p assert --witness bug.graphml
  gordian validate lost_update.c bug.graphml
  gordian validate task.i foreign.graphml --timeout 30s
  gordian validate task.i proof.yml
  gordian validate task.i task.proof            what gordian check --proof has written

Exit codes:
  0  confirmed: a proof; its invariants hold, and so do the properties; or a proof file all of whose obligations hold
  1  confirmed: a violation, which was replayed; or a proof that is refuted, or a proof file with a false obligation
  2  the witness cannot be read, or the proof file is damaged, of a newer version or about another program
  3  not confirmed: no violation was found along the witness, there may be one; or no proof was found")]
pub struct ValidateArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    /// The witness: of a violation, GraphML 1.0 or YAML with a violation_sequence; of a proof, YAML with an invariant_set; or a proof file
    #[arg(value_name = "WITNESS", required = true)]
    pub witness: PathBuf,
    #[command(flatten)]
    pub properties: PropertyArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Show long interleavings in full
    #[arg(long, help_heading = "Output")]
    pub full_trace: bool,
}

pub fn validate(arguments: &ValidateArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let witness = match load(arguments)? {
        Witness::Violation(witness) => witness,
        Witness::Proof(invariants) => return validate_proof::validate(arguments, &invariants, session),
        Witness::Tree(text) => return validate_tree::validate(arguments, &text, session),
    };
    let mut sources = arguments.sources.clone();
    sources.data_model = sources.data_model.or(witness.data_model);
    let source = input::read(&sources, session)?;
    remark_on_hashes(&witness.hashes, &sources.files, session);
    let selected = selected(arguments, &witness)?;
    let budget = arguments.limits.budget(session);
    let analyses = Analyses::new(&source.program);
    let code = Code::of(&analyses)
        .map_err(|_| CommandFailure::Usage("the program's globals are too large for it to be run".to_owned()))?;
    let options = GuideOptions::new(selected);
    let schedule = match execute::follow(&code, &witness.waypoints, &options, &budget) {
        Some(schedule) => schedule,
        None => {
            let solved = solved_inputs(&analyses, selected, &budget)?;
            let found = solved
                .as_ref()
                .and_then(|known| execute::follow_with(&code, &witness.waypoints, known, &options, &budget));
            match found {
                Some(schedule) => schedule,
                None => {
                    let elsewhere = if solved.is_some() { "; there is a violation elsewhere" } else { "" };
                    let text = format!("NOT CONFIRMED: no violation was found along the witness{elsewhere}\n");
                    session.print(text.as_bytes());
                    return Ok(Exit::Unknown);
                }
            }
        }
    };
    let trace = match execute::replay(&analyses, &schedule, selected, &budget) {
        Ok(trace) => trace,
        Err(failure) => match limit_of(&failure) {
            Some(reason) => {
                let text = format!("NOT CONFIRMED: the replay was not completed: {reason}\n");
                session.print(text.as_bytes());
                return Ok(Exit::Unknown);
            }
            None => {
                let text = format!("the violation found along the witness does not replay: {failure}");
                return Err(CommandFailure::Bug(text));
            }
        },
    };
    let trace = shortened(&analyses, &trace, arguments.full_trace, &budget);
    session.print(b"CONFIRMED: the witness leads to a violation\n\n");
    let text = verdict::violation(&source.program, &trace, extent(arguments.full_trace), session.out);
    session.print(text.as_bytes());
    Ok(Exit::Violated)
}

/// The choices of an execution with a violation, if an engine finds one soon: for inputs that the witness leaves out.
fn solved_inputs(
    analyses: &Analyses<'_>,
    selected: PropertySet,
    budget: &Budget,
) -> Result<Option<Choices>, CommandFailure> {
    let most = budget.remaining_time().map_or(LONGEST_SEARCH, |left| LONGEST_SEARCH.min(left / 2));
    let budget = Budget { deadline: Instant::now().checked_add(most), ..budget.clone() };
    let report = portfolio::check(&Check {
        analyses,
        properties: selected,
        strategy: &Strategy::check(ENGINES[0]),
        engine: ENGINES[0],
        unwind: UnwindLimits::default(),
        first: true,
        budget: &budget,
        observer: &NullObserver,
        listener: &NullListener,
    })?;
    Ok(crate::check::first_violation(&report.outcomes).map(|trace| trace.schedule.choices.clone()))
}

enum Witness {
    Violation(ReadWitness),
    Proof(ReadInvariants),
    /// The text of a proof file.
    Tree(String),
}

fn load(arguments: &ValidateArguments) -> Result<Witness, CommandFailure> {
    let shown = arguments.witness.display();
    let fail = |message: String| {
        let diagnostics = vec![Diagnostic::error("witness", message)];
        CommandFailure::Input { diagnostics, files: Files::new() }
    };
    let bytes = frontend::preprocess::read_limited(&arguments.witness);
    let bytes = bytes.map_err(|error| fail(format!("the witness `{shown}` cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| fail(format!("`{shown}` is not a witness: it is not text")))?;
    if proof::is_proof(&text) {
        return Ok(Witness::Tree(text));
    }
    let read = match invariant_reader::read(&text) {
        _ if text.trim_start().starts_with('<') => graphml_reader::read(&text).map(Witness::Violation),
        Some(proof) => proof.map(Witness::Proof),
        None => yaml_reader::read(&text).map(Witness::Violation),
    };
    read.map_err(|error| fail(format!("`{shown}` cannot be followed: {error}")))
}

/// What the user asks about, or what the witness is about.
fn selected(arguments: &ValidateArguments, witness: &ReadWitness) -> Result<PropertySet, CommandFailure> {
    if !arguments.properties.named.is_empty() {
        return Ok(arguments.properties.selected());
    }
    let unsaid = "the witness does not say which property is violated: give one with --property";
    witness.properties.ok_or_else(|| CommandFailure::Usage(unsaid.to_owned()))
}

pub fn remark_on_hashes(hashes: &[String], files: &[PathBuf], session: &Session) {
    let is_about = |file: &PathBuf| {
        let contents = std::fs::read(file).unwrap_or_default();
        hashes.contains(&WitnessFile::new(String::new(), &contents).hash)
    };
    if !hashes.is_empty() && !files.iter().any(is_about) {
        session.remark("the witness was made for a different version of the file; it is used anyway\n");
    }
}
