//! `gordian explain CODE`: what a property or the code of a diagnostic means.

use report::explanations;

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gordian explain                                  all codes
  gordian explain no-data-race
  gordian explain missing-header")]
pub struct ExplainArguments {
    /// The name of a property, or the code of a message: error[CODE]
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

pub fn explain(arguments: &ExplainArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let Some(code) = &arguments.code else {
        let list = explanations::all().map(|one| format!("{:16} {}\n", one.code, one.title)).collect::<String>();
        session.print(list.as_bytes());
        return Ok(Exit::Holds);
    };
    let unknown = || CommandFailure::Usage(format!("there is no code `{code}`; `gordian explain` lists them all"));
    let found = explanations::explanation(code).ok_or_else(unknown)?;
    let paragraphs = found.text.split("\n\n").map(|text| report::text_width::wrap(text, 88).join("\n"));
    let text = paragraphs.collect::<Vec<_>>().join("\n\n");
    session.print(format!("{}: {}\n\n{text}\n", session.out.strong(found.code), found.title).as_bytes());
    Ok(Exit::Holds)
}
