//! `gordian completions` and `gordian man`: what shells and `man` want to know, from the same definitions as the arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gordian completions bash > gordian.bash
  gordian completions zsh > _gordian")]
pub struct CompletionArguments {
    /// For which shell
    pub shell: Shell,
}

pub fn completions(arguments: &CompletionArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "gordian", &mut text);
    session.print(&text);
    Ok(Exit::Holds)
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gordian man > gordian.1
  gordian man check > gordian-check.1")]
pub struct ManArguments {
    /// The command to describe [default: gordian itself]
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

pub fn man(arguments: &ManArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let mut whole = Arguments::command();
    whole.build();
    let (title, described) = match &arguments.command {
        None => ("gordian".to_owned(), whole),
        Some(name) => {
            let unknown = || CommandFailure::Usage(format!("there is no command `{name}`"));
            (format!("gordian-{name}"), whole.find_subcommand(name).ok_or_else(unknown)?.clone())
        }
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(described).title(title).render(&mut text);
    rendered.map_err(|error| CommandFailure::Output(format!("the page cannot be written: {error}")))?;
    session.print(&text);
    Ok(Exit::Holds)
}
