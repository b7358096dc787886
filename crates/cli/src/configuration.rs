//! `gordian.toml`: what to check and how, for a project whose command line would be long. `gordian check` without files
//! reads it from the current folder; `--config FILE` names another. What the command line says goes before.

use std::path::{Path, PathBuf};

use base::{Diagnostic, Files};
use program::{Property, PropertySet};
use report::suppression::Suppression;
use serde::Deserialize;

use crate::arguments::{CheckArguments, Command};
use crate::failure::CommandFailure;
use crate::limits::{parse_memory, parse_time};

pub const NAME: &str = "gordian.toml";

/// Everything that the file can say. Paths begin at its folder.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConfigurationFile {
    files: Vec<PathBuf>,
    /// As `-I`, `-D` and `--include`.
    include_directories: Vec<PathBuf>,
    defines: Vec<String>,
    includes: Vec<PathBuf>,
    compile_commands: Option<PathBuf>,
    data_model: Option<String>,
    properties: Vec<String>,
    entry: Option<String>,
    init: Option<String>,
    threads: Vec<String>,
    stubs: Vec<String>,
    malloc_may_fail: bool,
    create_may_fail: bool,
    timeout: Option<String>,
    memory: Option<String>,
    unwind: Option<u32>,
    max_unwind: Option<u32>,
    suppress: Vec<Suppress>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Suppress {
    property: String,
    file: Option<String>,
    line: Option<u32>,
    reason: String,
}

/// Completes the arguments of `check` by the configuration, if one is to be used.
pub fn apply(command: &mut Command) -> Result<(), CommandFailure> {
    let Command::Check(arguments) = command else { return Ok(()) };
    let path = match &arguments.config {
        Some(path) => path.clone(),
        None if arguments.print_strategy => return Ok(()),
        None if arguments.sources.files.is_empty() && arguments.sources.compile_commands.is_none() => {
            if !Path::new(NAME).exists() {
                let text = format!("no FILE is given, and there is no `{NAME}` that names some");
                return Err(CommandFailure::Usage(text));
            }
            PathBuf::from(NAME)
        }
        None => return Ok(()),
    };
    let wrong = |error: String| bad_configuration(format!("`{}` cannot be used: {error}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let configuration: ConfigurationFile = toml::from_str(&text).map_err(|error| wrong(on_one_line(&error, &text)))?;
    configuration.complete(arguments, path.parent().unwrap_or(Path::new(""))).map_err(wrong)
}

pub fn bad_configuration(message: String) -> CommandFailure {
    CommandFailure::Input { diagnostics: vec![Diagnostic::error("configuration", message)], files: Files::new() }
}

fn on_one_line(error: &toml::de::Error, text: &str) -> String {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = 1 + text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
    format!("line {line}: {}", error.message().replace('\n', " "))
}

impl ConfigurationFile {
    fn complete(self, arguments: &mut CheckArguments, folder: &Path) -> Result<(), String> {
        let below = |paths: Vec<PathBuf>| paths.into_iter().map(|path| folder.join(path)).collect::<Vec<_>>();
        let sources = &mut arguments.sources;
        if sources.files.is_empty() {
            sources.files = below(self.files);
        }
        sources.include_directories.extend(below(self.include_directories));
        sources.includes.extend(below(self.includes));
        sources.defines.splice(..0, self.defines);
        sources.stub.extend(self.stubs);
        sources.malloc_may_fail |= self.malloc_may_fail;
        sources.create_may_fail |= self.create_may_fail;
        sources.compile_commands =
            sources.compile_commands.take().or(self.compile_commands.map(|path| folder.join(path)));
        if let (None, Some(name)) = (sources.data_model, self.data_model) {
            sources.data_model = Some(bench::task_definition::data_model(&name)?);
        }
        if sources.entry.is_none() && sources.thread.is_empty() {
            (sources.entry, sources.init, sources.thread) = (self.entry, self.init, self.threads);
        }
        if arguments.properties.named.is_empty() {
            let named = |name: &String| PropertySet::named(name).ok_or(format!("there is no property `{name}`"));
            arguments.properties.named = self.properties.iter().map(named).collect::<Result<_, _>>()?;
        }
        let limits = &mut arguments.limits;
        limits.timeout = limits.timeout.or(self.timeout.as_deref().map(parse_time).transpose()?);
        limits.memory = limits.memory.or(self.memory.as_deref().map(parse_memory).transpose()?);
        if arguments.unwind.is_none() && arguments.max_unwind.is_none() {
            (arguments.unwind, arguments.max_unwind) = (self.unwind, self.max_unwind);
        }
        arguments.suppressions = self.suppress.into_iter().map(suppression).collect::<Result<_, _>>()?;
        Ok(())
    }
}

fn suppression(one: Suppress) -> Result<Suppression, String> {
    let property: Property = one.property.parse().map_err(|()| format!("there is no property `{}`", one.property))?;
    if one.reason.trim().is_empty() {
        return Err(format!("the suppression of {property} needs a reason"));
    }
    Ok(Suppression { property, file: one.file, line: one.line, reason: one.reason })
}
