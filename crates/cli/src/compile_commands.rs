//! `compile_commands.json`, as CMake, Meson and Bear write it: which files a project has, and the `-I`, `-D`, `-U`, `-std`
//! and `-include` that the compiler gets for them.
//!
//! What stands in an entry is for its file alone.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::arguments::Command;
use crate::configuration::bad_configuration;
use crate::failure::Failure;
use crate::input::{FileOptions, SourceArguments};

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
        for path in entries.iter().map(|entry| entry.directory.join(&entry.file)).filter(is_c) {
            if !sources.files.contains(&path) {
                sources.files.push(path);
            }
        }
        if sources.files.is_empty() {
            return Err("it names no C file".to_owned());
        }
    }
    let same = |one: &Path, other: &Path| match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    };
    for file in sources.files.clone() {
        let mut own = entries.iter().filter(|entry| same(&file, &entry.directory.join(&entry.file)));
        let Some(entry) = own.next() else { continue };
        let arguments = |entry: &Entry| {
            preprocessor_arguments(&words(entry), &entry.directory)
                .map_err(|option| format!("`{}` is compiled with `{option}`, which is not supported", file.display()))
        };
        let (first, is_ilp32) = (arguments(entry)?, is_ilp32(entry));
        for other in own {
            if arguments(other)? != first || self::is_ilp32(other) != is_ilp32 {
                return Err(format!("`{}` is compiled in several ways; leave one of its entries", file.display()));
            }
        }
        if is_ilp32 {
            sources.data_model = sources.data_model.or(Some(program::DataModel::Ilp32));
        }
        let arguments = first;
        sources.file_options.push(FileOptions { file, arguments });
    }
    Ok(())
}

fn is_ilp32(entry: &Entry) -> bool {
    words(entry).iter().any(|word| word == "-m32")
}

fn words(entry: &Entry) -> Vec<String> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(line)) => split(line),
        (None, None) => Vec::new(),
    }
}

/// Options with a path as their value.
const PATHS: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot", "-I"];
/// Options that give the program another meaning than we know. Options that only optimise, warn or instrument are none of
/// them.
const UNSUPPORTED: [&str; 19] = [
    "-fexec-charset",
    "-fgnu-tm",
    "-finstrument-functions",
    "-fno-signed-bitfields",
    "-fno-signed-char",
    "-fopenacc",
    "-fopenmp",
    "-fpack-struct",
    "-freg-struct-return",
    "-fshort-enums",
    "-fshort-wchar",
    "-ftrapv",
    "-funsigned-bitfields",
    "-funsigned-char",
    "-fwide-exec-charset",
    "-m16",
    "-mabi=ms",
    "-mms-bitfields",
    "-mx32",
];

fn is_unsupported(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    UNSUPPORTED.contains(&name) || UNSUPPORTED.contains(&word) || word.starts_with('@')
}

/// What the preprocessor must know of a compiler's arguments, in their order; an option that is not supported is an
/// error.
fn preprocessor_arguments(words: &[String], directory: &Path) -> Result<Vec<String>, String> {
    let mut arguments = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if is_unsupported(word) {
            return Err(word.clone());
        }
        if let Some(passed) = word.strip_prefix("-Wp,") {
            arguments.extend(passed.split(',').filter(|word| is_for_the_preprocessor(word)).map(str::to_owned));
            continue;
        }
        if word == "-Xpreprocessor" {
            continue;
        }
        let path = PATHS.iter().find_map(|option| word.strip_prefix(option).map(|rest| (*option, rest)));
        if let Some((option, rest)) = path {
            let value = match rest.strip_prefix('=').unwrap_or(rest) {
                "" => words.next().cloned().unwrap_or_default(),
                rest => rest.to_owned(),
            };
            // A file to include may also stand in one of the directories for headers.
            let joined = directory.join(&value);
            let is_found_later = matches!(option, "-include" | "-imacros") && !joined.exists();
            let value = if is_found_later { value } else { joined.to_string_lossy().into_owned() };
            arguments.extend([option.to_owned(), value]);
        } else if word == "-D" || word == "-U" {
            arguments.push(word.clone());
            arguments.extend(words.next().cloned());
        } else if is_for_the_preprocessor(word) {
            arguments.push(word.clone());
        }
    }
    Ok(arguments)
}

fn is_for_the_preprocessor(word: &str) -> bool {
    let with_value = ["-D", "-U", "-std="].iter().any(|option| word.starts_with(option));
    // These change nothing for the preprocessor; the front end looks for them.
    let wraps = matches!(word, "-fwrapv" | "-fno-wrapv" | "-fstrict-overflow" | "-fno-strict-overflow");
    with_value || wraps || matches!(word, "-ansi" | "-nostdinc" | "-undef" | "-pthread" | "-ffreestanding" | "-fhosted")
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
    fn options_for_the_preprocessor_keep_their_order() {
        let words = split("cc -O2 -DA=1 -UA -D B -Iinc -isystem /sys -include x.h -std=c99 -Wall -c a.c -o a.o");
        let expected = ["-DA=1", "-UA", "-D", "B", "-I", "/d/inc", "-isystem", "/sys", "-include", "x.h", "-std=c99"];
        assert_eq!(preprocessor_arguments(&words, Path::new("/d")), Ok(expected.map(str::to_owned).to_vec()));
        assert_eq!(preprocessor_arguments(&split("cc -fopenmp"), Path::new("/d")), Err("-fopenmp".to_owned()));
        let packed = preprocessor_arguments(&split("cc -fpack-struct=2"), Path::new("/d"));
        assert_eq!(packed, Err("-fpack-struct=2".to_owned()));
        let wraps = preprocessor_arguments(&split("cc -fwrapv -Os"), Path::new("/d"));
        assert_eq!(wraps, Ok(vec!["-fwrapv".to_owned()]));
    }

    #[test]
    fn lines_are_split_as_a_shell_does() {
        assert_eq!(split("cc -DA='b c' \"-DS=\\\"x\\\"\" a\\ b.c ''"), ["cc", "-DA=b c", "-DS=\"x\"", "a b.c", ""]);
        assert_eq!(split("  "), Vec::<String>::new());
        assert_eq!(split("unfinished \"quote"), ["unfinished", "quote"]);
    }
}
