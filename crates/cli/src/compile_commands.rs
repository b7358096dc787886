//! `compile_commands.json`, as CMake, Meson and Bear write it: which files a project has, and the `-I`, `-D` and
//! `-include` that the compiler gets for them.
//!
//! One check reads all its files with the same options, so that the options of the checked files are put together, in the
//! order of the file and each once.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::arguments::Command;
use crate::configuration::bad_configuration;
use crate::failure::Failure;
use crate::input::SourceArguments;

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    /// A line for the shell, where there are no `arguments`.
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Completes the arguments by what the compilation database says, if one is named.
pub fn apply(command: &mut Command) -> Result<(), Failure> {
    let Some((sources, _)) = command.sources_and_properties() else { return Ok(()) };
    let Some(path) = sources.compile_commands.clone() else { return Ok(()) };
    let wrong = |error: String| bad_configuration(format!("`{}` cannot be used: {error}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    complete(sources, &entries).map_err(wrong)
}

fn complete(sources: &mut SourceArguments, entries: &[Entry]) -> Result<(), String> {
    if sources.files.is_empty() {
        let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c" || extension == "i");
        sources.files = entries.iter().map(|entry| entry.directory.join(&entry.file)).filter(is_c).collect();
        if sources.files.is_empty() {
            return Err("it names no C file".to_owned());
        }
    }
    let same = |one: &Path, other: &Path| match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    };
    let files = sources.files.clone();
    for entry in entries {
        let path = entry.directory.join(&entry.file);
        if files.iter().any(|file| same(file, &path)) {
            add_options(sources, &words(entry), &entry.directory);
        }
    }
    Ok(())
}

fn words(entry: &Entry) -> Vec<String> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(line)) => split(line),
        (None, None) => Vec::new(),
    }
}

fn add_options(sources: &mut SourceArguments, words: &[String], directory: &Path) {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = |option: &str| match word.strip_prefix(option) {
            Some("") => words.next().cloned(),
            Some(rest) => Some(rest.to_owned()),
            None => None,
        };
        if word == "-include" {
            sources.includes.extend(value("-include").map(|path| directory.join(path)));
        } else if let Some(path) = value("-isystem").or_else(|| value("-iquote")).or_else(|| value("-I")) {
            add_once(&mut sources.include_directories, directory.join(path));
        } else if let Some(definition) = value("-D") {
            add_once(&mut sources.defines, definition);
        } else if word == "-m32" {
            sources.data_model = sources.data_model.or(Some(program::DataModel::Ilp32));
        }
    }
}

fn add_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// The words of a shell's line: quotes and backslashes are understood, nothing is expanded.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_as_a_shell_does() {
        assert_eq!(split("cc -DA='b c' \"-DS=\\\"x\\\"\" a\\ b.c ''"), ["cc", "-DA=b c", "-DS=\"x\"", "a b.c", ""]);
        assert_eq!(split("  "), Vec::<String>::new());
        assert_eq!(split("unfinished \"quote"), ["unfinished", "quote"]);
    }
}
