//! `compile_commands.json`, as CMake, Meson and Bear write it: which files a project has, and those of the compiler's options
//! that change what they mean (`compiler_options.rs`).
//!
//! What stands in an entry is for its file alone.

use std::fs;
use std::path::{Path, PathBuf};

use frontend::compiler_options::{self, OptionSupport};
use program::DataModel;
use serde::Deserialize;

use crate::arguments::Command;
use crate::configuration::bad_configuration;
use crate::failure::CommandFailure;
use crate::input::{FileOptions, SourceArguments};
use crate::response_files;
use crate::target::data_model;

#[derive(Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    /// A line for the shell, where there are no `arguments`.
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Completes the arguments by what the compilation database says, if one is named.
pub fn apply(command: &mut Command) -> Result<(), CommandFailure> {
    let Some((sources, _)) = command.sources_and_properties() else { return Ok(()) };
    let Some(path) = sources.compile_commands.clone() else { return Ok(()) };
    let wrong = |error: String| bad_configuration(format!("`{}` cannot be used: {error}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let entries: Vec<CompileCommand> = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    complete(sources, &entries).map_err(wrong)
}

fn complete(sources: &mut SourceArguments, entries: &[CompileCommand]) -> Result<(), String> {
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
    let mut models = Vec::new();
    for file in sources.files.clone() {
        let mut own = entries.iter().filter(|entry| same(&file, &entry.directory.join(&entry.file)));
        let Some(entry) = own.next() else { continue };
        let compilation = |entry: &CompileCommand| {
            Compilation::of(entry).map_err(|problem| format!("`{}` is compiled with {problem}", file.display()))
        };
        let first = compilation(entry)?;
        for other in own {
            if compilation(other)? != first {
                return Err(in_several_ways(&file));
            }
        }
        models.push((file.clone(), first.model));
        sources.file_options.push(FileOptions { file, arguments: first.arguments });
    }
    sources.data_model = match sources.data_model {
        Some(chosen) => Some(chosen),
        None => common_model(&models)?,
    };
    Ok(())
}

/// The data model of all files, unless they have several.
fn common_model(models: &[(PathBuf, DataModel)]) -> Result<Option<DataModel>, String> {
    let Some((first, model)) = models.first() else { return Ok(None) };
    match models.iter().find(|(_, other)| other != model) {
        None => Ok(Some(*model)),
        Some((other, _)) => Err(format!(
            "`{}` and `{}` are compiled for different sizes of pointers; name the files of one program",
            first.display(),
            other.display()
        )),
    }
}

/// What to do about a file with several entries: which of its variants belong to the program is not known.
fn in_several_ways(file: &Path) -> String {
    let file = file.display();
    format!(
        "`{file}` is compiled in several ways; leave the one entry that belongs to the program, or, if several do, \
         preprocess the file with the options of each (`cc -E … -o variant.i`) and name these files instead"
    )
}

/// How an entry compiles its file.
#[derive(PartialEq, Eq)]
struct Compilation {
    arguments: Vec<String>,
    model: DataModel,
}

impl Compilation {
    fn of(entry: &CompileCommand) -> Result<Self, String> {
        let words = response_files::expand(words(entry), &entry.directory)?;
        let model = data_model(&words)?.unwrap_or_default();
        let arguments = arguments_that_matter(&words, &entry.directory, model)
            .map_err(|option| format!("`{option}`, which is not supported"))?;
        Ok(Self { arguments, model })
    }
}

fn words(entry: &CompileCommand) -> Vec<String> {
    match (&entry.arguments, &entry.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(line)) => split(line),
        (None, None) => Vec::new(),
    }
}

/// Options with a path as their value.
const PATHS: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot", "-I"];
/// Options whose value is the next word, and which do not matter.
const WITH_VALUE: [&str; 14] = [
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "--param",
    "--target",
    "-MF",
    "-MT",
    "-MQ",
    "-arch",
    "-aux-info",
    "-mllvm",
    "-o",
    "-target",
    "-x",
];
/// Long names of options, each with the short one.
const LONG_NAMES: [(&str, &str); 9] = [
    ("--ansi", "-ansi"),
    ("--define-macro", "-D"),
    ("--imacros", "-imacros"),
    ("--include", "-include"),
    ("--include-directory", "-I"),
    ("--include-directory-after", "-idirafter"),
    ("--no-standard-includes", "-nostdinc"),
    ("--optimize", "-O"),
    ("--undefine-macro", "-U"),
];
/// Options that make another program of the text, and are not listed among those of code generation.
const UNSUPPORTED: [&str; 2] = ["-traditional", "-traditional-cpp"];

/// What the preprocessor and the front end must know of a compiler's arguments, in their order; an option that is not
/// supported is an error.
fn arguments_that_matter(words: &[String], directory: &Path, model: DataModel) -> Result<Vec<String>, String> {
    let words = for_the_preprocessor(words);
    let is_ilp32 = model == DataModel::Ilp32;
    let mut arguments = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let word = short_name(word);
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
            continue;
        }
        let path = PATHS.iter().find_map(|option| word.strip_prefix(option).map(|rest| (*option, rest)));
        if let Some((option, rest)) = path {
            let value = match rest.strip_prefix('=').unwrap_or(rest) {
                "" => words.next().unwrap_or_default(),
                rest => rest.to_owned(),
            };
            // A file to include may also stand in one of the directories for headers.
            let joined = directory.join(&value);
            let is_found_later = matches!(option, "-include" | "-imacros") && !joined.exists();
            let value = if is_found_later { value } else { joined.to_string_lossy().into_owned() };
            arguments.extend([option.to_owned(), value]);
        } else if word == "-D" || word == "-U" {
            arguments.push(word);
            arguments.extend(words.next());
        } else if meaning(&word, is_ilp32)? == OptionSupport::HandedOn {
            arguments.push(word);
        }
    }
    Ok(arguments)
}

/// The words as if there were no `-Wp,` and `-Xpreprocessor`, which hand options to the preprocessor.
fn for_the_preprocessor(words: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for word in words.iter().filter(|word| *word != "-Xpreprocessor") {
        match word.strip_prefix("-Wp,") {
            Some(passed) => all.extend(passed.split(',').map(str::to_owned)),
            None => all.push(word.clone()),
        }
    }
    all
}

/// The word with the short name of its option, if it has a long one.
fn short_name(word: String) -> String {
    if let Some(standard) = word.strip_prefix("--std=") {
        return format!("-std={standard}");
    }
    let (name, value) = word.split_once('=').map_or((word.as_str(), ""), |(name, value)| (name, value));
    match LONG_NAMES.iter().find(|(long, _)| *long == name) {
        Some((_, short)) => format!("{short}{value}"),
        None => word,
    }
}

/// What an option without a value of its own means; that of one that is not supported is an error.
fn meaning(word: &str, is_ilp32: bool) -> Result<OptionSupport, String> {
    let matters = ["-D", "-U", "-O", "-std="].iter().any(|option| word.starts_with(option))
        || matches!(word, "-ansi" | "-nostdinc" | "-undef" | "-pthread" | "-trigraphs");
    let meaning = match word {
        _ if UNSUPPORTED.contains(&word) => OptionSupport::Unsupported,
        _ if word.starts_with("-f") || word.starts_with("-m") => compiler_options::meaning(word, is_ilp32),
        _ if matters => OptionSupport::HandedOn,
        _ => OptionSupport::Harmless,
    };
    if meaning == OptionSupport::Unsupported { Err(word.to_owned()) } else { Ok(meaning) }
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

    fn of(line: &str) -> Result<Vec<String>, String> {
        arguments_that_matter(&split(line), Path::new("/d"), DataModel::Lp64)
    }

    fn gives(line: &str, expected: &str) {
        assert_eq!(of(line), Ok(expected.split_whitespace().map(str::to_owned).collect()), "{line}");
    }

    #[test]
    fn options_that_matter_keep_their_order() {
        gives(
            "cc -O2 -DA=1 -UA -D B -Iinc -isystem /sys -include x.h -std=c99 -Wall -g -c a.c -o a.o -MF a.d",
            "-O2 -DA=1 -UA -D B -I /d/inc -isystem /sys -include x.h -std=c99",
        );
        gives("cc -fwrapv -Os -fno-plt -march=native", "-fwrapv -Os -march=native");
        assert_eq!(of("cc -fopenmp"), Err("-fopenmp".to_owned()));
        assert_eq!(of("cc -fpack-struct=2"), Err("-fpack-struct=2".to_owned()));
    }

    #[test]
    fn options_for_the_preprocessor_have_many_forms() {
        gives("cc -Wp,-D,A -Wp,-DB,-UC -Xpreprocessor -DD", "-D A -DB -UC -DD");
        gives("cc -Wp,-include,x.h -Xpreprocessor -include -Xpreprocessor y.h", "-include x.h -include y.h");
        gives("cc --define-macro=A --define-macro B --undefine-macro=C", "-DA -D B -UC");
        gives("cc --include=x.h --include y.h --std=c99 --ansi", "-include x.h -include y.h -std=c99 -ansi");
        gives("cc -Wp,-MD,a.d -Xclang -fopenmp -Xlinker -fopenmp", "");
    }

    #[test]
    fn lines_are_split_as_a_shell_does() {
        assert_eq!(split("cc -DA='b c' \"-DS=\\\"x\\\"\" a\\ b.c ''"), ["cc", "-DA=b c", "-DS=\"x\"", "a b.c", ""]);
        assert_eq!(split("  "), Vec::<String>::new());
        assert_eq!(split("unfinished \"quote"), ["unfinished", "quote"]);
    }
}
