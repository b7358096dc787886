//! `gordian check TASK.yml`: a task definition stands for its files, its data model and its properties. What the user
//! says on the command line goes before what the task says.

use base::{Diagnostic, Files};
use bench::TaskDefinition;
use program::PropertySet;

use crate::arguments::Command;
use crate::failure::CommandFailure;

/// Replaces a task definition among the arguments by what it stands for.
pub fn apply(command: &mut Command) -> Result<(), CommandFailure> {
    let Some((sources, properties)) = command.sources_and_properties() else { return Ok(()) };
    if !sources.files.iter().any(|file| TaskDefinition::is_named(file)) {
        return Ok(());
    }
    let [file] = &sources.files[..] else {
        return Err(CommandFailure::Usage("a task definition names the files to read: give no other files".to_owned()));
    };
    let shown = file.display().to_string();
    let task = TaskDefinition::read(file).map_err(bad_task)?;
    if properties.named.is_empty() && !task.properties.is_empty() {
        let known: Vec<PropertySet> = task.properties.iter().filter_map(|property| property.set()).collect();
        if known.is_empty() {
            let names: Vec<&str> = task.properties.iter().map(|property| &property.name[..]).collect();
            let text = format!("none of the properties of `{shown}` is supported: {}", names.join(", "));
            return Err(bad_task(text));
        }
        properties.named = known;
    }
    sources.files = task.files;
    sources.data_model = sources.data_model.or(task.data_model);
    Ok(())
}

fn bad_task(message: String) -> CommandFailure {
    CommandFailure::Input { diagnostics: vec![Diagnostic::error("task", message)], files: Files::new() }
}
