//! `gordian show`: the text forms of the stages.

use base::{Diagnostic, Files};
use engines::{Job, NullObserver, UnwindLimits};
use predict::{Model, TraceProgram};
use program::{Analyses, Property, PropertySet, Visibility};
use report::{control_flow, sharing};
use unfold::{Stopped, UnfoldOptions};

use crate::arguments::{ShowArguments, ShownStage};
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::input;
use crate::predict_command;
use crate::session::Session;

pub fn show(arguments: &ShowArguments, session: &Session) -> Result<Exit, CommandFailure> {
    if arguments.dot && !matches!(arguments.stage, ShownStage::Cfg | ShownStage::Tree | ShownStage::Art) {
        return Err(CommandFailure::Usage("only the stages cfg, tree and art can be drawn with --dot".to_owned()));
    }
    if arguments.stage != ShownStage::Tree {
        arguments.contexts.refuse("--stage tree")?;
    }
    match arguments.stage {
        ShownStage::Art => arguments.interp.fit_a_drawing()?,
        _ => arguments.interp.refuse("--stage art")?,
    }
    let text = match arguments.stage {
        ShownStage::Tokens => each_file(arguments, frontend::token_dump)?,
        ShownStage::Ast => each_file(arguments, |path, options, files| {
            let parsed = frontend::parse_file(path, options, files)?;
            let file = parsed.unit.file.expect("a parsed file should know itself");
            Ok(frontend::ast_print::print_items_of(&parsed.unit, file))
        })?,
        ShownStage::Program => input::read(&arguments.sources, session)?.program.to_string(),
        ShownStage::Cfg => {
            let program = input::read(&arguments.sources, session)?.program;
            if arguments.dot { control_flow::dot(&program) } else { control_flow::text(&program) }
        }
        ShownStage::Sharing => {
            let program = input::read(&arguments.sources, session)?.program;
            sharing::text(&program, &Visibility::new(&program))
        }
        ShownStage::Events => events(arguments, session)?,
        ShownStage::Tree => tree(arguments, session)?,
        ShownStage::Art => art(arguments, session)?,
        ShownStage::Cssa => cssa(arguments, session)?,
    };
    session.print(text.as_bytes());
    Ok(Exit::Holds)
}

/// The dumps of all files, one after another.
fn each_file(
    arguments: &ShowArguments,
    dump: impl Fn(&std::path::Path, &frontend::PreprocessOptions, &mut Files) -> Result<String, Vec<Diagnostic>>,
) -> Result<String, CommandFailure> {
    let mut files = Files::new();
    let mut text = String::new();
    for path in &arguments.sources.files {
        match dump(path, &arguments.sources.options_of(path), &mut files) {
            Ok(part) => text += &part,
            Err(diagnostics) => return Err(CommandFailure::Input { diagnostics, files }),
        }
    }
    Ok(text)
}

fn cssa(arguments: &ShowArguments, session: &Session) -> Result<String, CommandFailure> {
    let program = input::read(&arguments.sources, session)?.program;
    let analyses = Analyses::new(&program);
    let budget = arguments.limits.budget(session);
    let recording = predict_command::record_once(&analyses, arguments.seed, None, &budget)?.recording;
    let trace = TraceProgram::new(&program, &analyses.get(), &[recording], Model::Full);
    let trace =
        trace.map_err(|misfit| CommandFailure::Bug(format!("a recording does not match its program: {misfit}")))?;
    match predict::search::unfold_trace(&trace, arguments.properties.selected(), true, &budget) {
        Ok(graph) => Ok(predict::cssa(&program, &graph)),
        Err(reason) => Err(CommandFailure::Usage(format!("the run could not be unfolded: {reason}"))),
    }
}

fn events(arguments: &ShowArguments, session: &Session) -> Result<String, CommandFailure> {
    let program = input::read(&arguments.sources, session)?.program;
    let options = UnfoldOptions::new(arguments.unwind, arguments.properties.selected());
    let budget = arguments.limits.budget(session);
    match unfold::unfold(&program, &Visibility::new(&program), &options, &budget) {
        Ok(graph) => Ok(graph.to_string()),
        Err(Stopped(reason)) => Err(CommandFailure::Usage(format!("the program could not be unfolded: {reason}"))),
    }
}

fn tree(arguments: &ShowArguments, session: &Session) -> Result<String, CommandFailure> {
    arguments.contexts.fit("lazy")?;
    let program = input::read(&arguments.sources, session)?.program;
    let job = Job {
        analyses: &Analyses::new(&program),
        properties: arguments.properties.selected(),
        unwind: UnwindLimits { exactly: Some(arguments.unwind), at_most: None },
        observer: &NullObserver,
    };
    let contexts = arguments.contexts.options_of_a_drawing();
    let too_large = || CommandFailure::Usage("the globals are larger than the address space".to_owned());
    let drawing = engines::draw_tree(&job, &contexts, &arguments.limits.budget(session)).ok_or_else(too_large)?;
    Ok(if arguments.dot { drawing.dot(&program) } else { drawing.text(&program) })
}

fn art(arguments: &ShowArguments, session: &Session) -> Result<String, CommandFailure> {
    let program = input::read(&arguments.sources, session)?.program;
    let selected = arguments.properties.selected();
    let job = Job {
        analyses: &Analyses::new(&program),
        properties: selected.intersection(PropertySet::of(&[Property::Assert, Property::UnreachCall])),
        unwind: UnwindLimits { exactly: None, at_most: None },
        observer: &NullObserver,
    };
    let drawing = engines::draw_art(&job, arguments.interp.paper_options(), &arguments.limits.budget(session));
    if drawing.is_partial {
        session.remark("the limits ended the exploration: this is as far as it came\n");
    }
    Ok(if arguments.dot { drawing.dot } else { drawing.text })
}
