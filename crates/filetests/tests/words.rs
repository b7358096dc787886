//! What Gordian says, and what its types are called: output uses the terms of `docs/glossary.md`, and one name means one
//! thing. Both are checked on the source text, so that no path of the program has to be run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose string literals reach the user.
const SPEAKING: [&str; 16] = [
    "base",
    "cli",
    "engines",
    "execute",
    "foreign",
    "frontend",
    "library",
    "native",
    "portfolio",
    "predict",
    "program",
    "report",
    "statics",
    "sync",
    "tree",
    "unfold",
];

/// Phrases that no output contains; `docs/glossary.md` has the terms to use instead.
const BANNED: [&str; 28] = [
    "nobody",
    "somebody",
    "whoever",
    "anybody",
    "got lost",
    "find itself",
    "broke off",
    "in the end",
    "rounds of each loop",
    "rounds of every loop",
    "falsifier",
    "survey",
    "told",
    "as they should be",
    "in a way that shows",
    "as far as it got",
    "nothing is said",
    "nothing to begin with",
    "nothing orders",
    "truth value",
    "odd place",
    "unknown places",
    "for ever",
    "goes elsewhere",
    "stands here",
    "without a word",
    "last walk",
    "is none",
];

/// Literals that are no sentences: names in a machine-readable format, of files, and former names that stay valid.
const EXCEPTIONS: [&str; 2] = ["runtime/told.c", "GR_NOBODY"];

/// Files that list former names.
const FILES_OF_FORMER_NAMES: [&str; 1] = ["base/src/statistics.rs"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
    into.sort();
}

/// The source of a file without its unit tests.
fn without_tests(source: &str) -> &str {
    let end = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    &source[..end]
}

/// The string literals of Rust source with their lines; those in comments and in asserted invariants do not count.
fn literals(source: &str) -> Vec<(usize, String)> {
    let bytes = source.as_bytes();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let rest = &source[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\\") {
            3 + rest[3..].find('\'').unwrap_or(0)
        } else if rest.starts_with("'\"'") {
            3
        } else if let Some(hashes) = raw_hashes(rest).filter(|_| !is_in_word(source, at)) {
            let (begin, end) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
            let text = rest[begin..].split(&end).next().unwrap_or_default();
            found.push((line, text.to_owned()));
            begin + text.len() + end.len()
        } else if rest.starts_with('"') {
            let length = literal_length(rest);
            found.push((line, joined(&rest[1..length - 1])));
            length
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    found
}

fn is_in_word(source: &str, at: usize) -> bool {
    source[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_')
}

fn raw_hashes(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix('r')?.chars().take_while(|&one| one == '#').count();
    rest[1 + hashes..].starts_with('"').then_some(hashes)
}

fn literal_length(rest: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A literal that goes on in the next line is one sentence.
fn joined(text: &str) -> String {
    let mut parts = text.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start())
}

fn is_word(text: &str, at: usize, length: usize) -> bool {
    let is_letter = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    !is_letter(text[..at].chars().next_back()) && !is_letter(text[at + length..].chars().next())
}

fn banned_in(source: &str) -> Vec<(usize, &'static str, String)> {
    let mut found = Vec::new();
    for (line, text) in literals(without_tests(source)) {
        // Messages of `expect` and `assert!` are read by those who mend Gordian.
        if EXCEPTIONS.contains(&text.as_str()) || text.contains(" should ") {
            continue;
        }
        let lower = text.to_lowercase();
        let has = |phrase: &&str| lower.match_indices(*phrase).any(|(at, _)| is_word(&lower, at, phrase.len()));
        found.extend(BANNED.iter().filter(|phrase| has(phrase)).map(|phrase| (line, *phrase, text.clone())));
    }
    found
}

#[test]
fn output_has_no_banned_words() {
    let mut faults = Vec::new();
    for name in SPEAKING {
        let mut files = Vec::new();
        rust_files(&crates().join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "the crate {name} should have sources");
        for path in files.iter().filter(|path| !FILES_OF_FORMER_NAMES.iter().any(|one| path.ends_with(one))) {
            let source = fs::read_to_string(path).expect("a source file");
            let shown = path.display();
            faults.extend(
                banned_in(&source).iter().map(|(line, word, text)| format!("{shown}:{line}: `{word}` in {text:?}")),
            );
        }
    }
    assert!(faults.is_empty(), "say it in the terms of docs/glossary.md:\n{}", faults.join("\n"));
}

#[test]
fn a_planted_sentence_is_found() {
    let source = "fn f() {\n    // nobody reads comments\n    say(\"the worker got \\\n        lost, 'x' too\", '\"');\n    say(r#\"\"nobody\" knows\"#);\n}\n";
    let found: Vec<(usize, &str)> = banned_in(source).iter().map(|(line, word, _)| (*line, *word)).collect();
    assert_eq!(found, [(3, "got lost"), (5, "nobody")]);
    assert!(banned_in("say(\"nobodyish is another word\")").is_empty());
    assert!(banned_in("ok();\n#[cfg(test)]\nmod tests { say(\"nobody\") }").is_empty());
}

/// Type names that several modules define, each with the reason.
const SHARED_NAMES: &str = include_str!("shared_type_names.txt");

/// The types that a source file defines at any depth.
fn defined_types(source: &str) -> impl Iterator<Item = &str> {
    without_tests(source).lines().filter(|line| !line.trim_start().starts_with("//")).filter_map(|line| {
        let mut words = line.trim_start().split(' ').skip_while(|word| word.starts_with("pub"));
        if !["struct", "enum", "trait", "union"].contains(&words.next()?) {
            return None;
        }
        let name = words.next()?;
        let end = name.find(|one: char| !one.is_alphanumeric()).unwrap_or(name.len());
        Some(&name[..end]).filter(|name| name.starts_with(char::is_uppercase))
    })
}

#[test]
fn type_names_are_unique() {
    let mut files = Vec::new();
    for entry in fs::read_dir(crates()).expect("the folder of crates") {
        let folder = entry.expect("a crate").path();
        if !folder.ends_with("xtask") {
            rust_files(&folder.join("src"), &mut files);
        }
    }
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in &files {
        if path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs") {
            continue;
        }
        let source = fs::read_to_string(path).expect("a source file");
        for name in defined_types(&source) {
            places.entry(name.to_owned()).or_default().push(path.display().to_string());
        }
    }
    let shared: BTreeSet<&str> = SHARED_NAMES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(':').next())
        .filter(|name| !name.is_empty())
        .collect();
    let repeated = places.iter().filter(|(name, places)| places.len() > 1 && !shared.contains(name.as_str()));
    let faults: Vec<String> = repeated.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert!(faults.is_empty(), "give these types names of their own (docs/renames.md):\n{}", faults.join("\n"));
    let stale: Vec<&&str> =
        shared.iter().filter(|name| places.get(**name).is_none_or(|places| places.len() < 2)).collect();
    assert!(stale.is_empty(), "names that are unique now need no entry in shared_type_names.txt: {stale:?}");
}

#[test]
fn definitions_are_recognised() {
    let source =
        "pub struct One<T>;\n    pub(crate) enum Two {\n// struct Three\ntrait Four: Sized {}\nlet x = Five;\n";
    assert_eq!(defined_types(source).collect::<Vec<_>>(), ["One", "Two", "Four"]);
}
