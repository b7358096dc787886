//! Texts to start mutating from: preprocessed programs without the thousands of lines of headers that they do not use,
//! so that a change hits something that matters, and each of many cases is quick.

use std::collections::BTreeSet;
use std::path::Path;

use base::{Diagnostic, Files};
use frontend::PreprocessOptions;
use frontend::preprocess::preprocess;

use crate::generate::generate;
use crate::program_tests::discover;
use crate::{Feature, Features};

/// How many generated programs are among the seeds.
const GENERATED: u64 = 150;

/// A program as text: what it uses of its headers, and what its author wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeedText {
    pub declarations: String,
    pub program: String,
}

/// The programs below the folders and some generated ones. A program that cannot be preprocessed is an error.
pub fn seed_texts(folders: &[&Path]) -> Result<Vec<SeedText>, String> {
    let mut seeds = Vec::new();
    for folder in folders {
        let paths = discover(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in paths {
            seeds.push(from_file(&path)?);
        }
    }
    let features = Features::of(&Feature::ALL);
    seeds.extend((0..GENERATED).map(|seed| from_generated(&generate(seed, features).to_string())));
    Ok(seeds)
}

/// Preprocesses a file and leaves out the declarations that it does not need.
pub fn from_file(path: &Path) -> Result<SeedText, String> {
    let preprocessed = preprocess(path, &PreprocessOptions::default(), &mut Files::new());
    let text = preprocessed.map_err(|errors| format!("{}: {}", path.display(), first_message(&errors)))?.text;
    Ok(slim(&String::from_utf8_lossy(&text), &path.to_string_lossy()))
}

fn first_message(errors: &[Diagnostic]) -> &str {
    errors.first().map_or("", |error| error.message.as_str())
}

/// Generated programs declare what the headers would declare in lines of their own.
fn from_generated(text: &str) -> SeedText {
    let is_declaration = |line: &str| line.starts_with("typedef") || line.starts_with("extern");
    let (declarations, program): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| is_declaration(line));
    SeedText { declarations: declarations.join("\n"), program: program.join("\n") }
}

/// Splits the output of a preprocessor by its line markers and keeps the declarations of headers that are needed.
fn slim(text: &str, user_file: &str) -> SeedText {
    let mut headers = String::new();
    let mut program = String::new();
    let mut in_header = false;
    for line in text.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            in_header = marker.split('"').nth(1) != Some(user_file);
            continue;
        }
        let part = if in_header { &mut headers } else { &mut program };
        part.push_str(line);
        part.push('\n');
    }
    SeedText { declarations: needed_declarations(&headers, &program), program }
}

/// The declarations whose names the program uses, and those that these use, in their order.
fn needed_declarations(headers: &str, program: &str) -> String {
    let declarations = top_level_declarations(headers);
    let mut wanted: BTreeSet<&str> = names(program).map(|(name, _)| name).collect();
    let mut is_kept = vec![false; declarations.len()];
    loop {
        let missing = |&index: &usize| !is_kept[index] && declares_any(declarations[index], &wanted);
        let Some(index) = (0..declarations.len()).find(missing) else { break };
        is_kept[index] = true;
        wanted.extend(names(declarations[index]).map(|(name, _)| name));
    }
    let kept = declarations.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    kept.map(|(declaration, _)| format!("{}\n", declaration.trim())).collect()
}

/// The pieces of a text that end in a semicolon outside all brackets.
fn top_level_declarations(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split_inclusive(|character| {
        depth += bracket(character);
        character == ';' && depth == 0
    })
    .collect()
}

fn bracket(character: char) -> i32 {
    match character {
        '(' | '[' | '{' => 1,
        ')' | ']' | '}' => -1,
        _ => 0,
    }
}

/// Words that stand in declarations of all kinds and say nothing about what is declared.
const COMMON: [&str; 17] = [
    "extern",
    "typedef",
    "struct",
    "union",
    "enum",
    "static",
    "inline",
    "const",
    "int",
    "unsigned",
    "signed",
    "long",
    "short",
    "char",
    "void",
    "__extension__",
    "__attribute__",
];

fn declares_any(declaration: &str, wanted: &BTreeSet<&str>) -> bool {
    // Enumerators are declared inside of their braces, types of pointers to functions in parentheses.
    let depth_of_names = i32::from(names(declaration).any(|(name, _)| matches!(name, "enum" | "typedef")));
    let is_declared = |name: &str, depth| depth <= depth_of_names && wanted.contains(name) && !COMMON.contains(&name);
    names(declaration).any(|(name, depth)| is_declared(name, depth))
}

/// Every word of a text with the number of brackets around it.
fn names(text: &str) -> impl Iterator<Item = (&str, i32)> {
    let mut depth = 0;
    crate::mutate::pieces(text).filter_map(move |piece| {
        depth += piece.chars().map(bracket).sum::<i32>();
        let is_name = piece.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        is_name.then_some((piece, depth))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_does_not_use_is_left_out() {
        let text = "# 1 \"a.c\"\n# 1 \"h.h\" 1\ntypedef int word;\nstruct pair { word a, b; };\nextern int gone(long);\n\
                    enum { ONE, TWO };\n\
                    extern struct pair make(void);\n# 2 \"a.c\" 2\nint main(void) { return make().a + TWO; }\n";
        let seed = slim(text, "a.c");
        assert_eq!(
            seed.declarations,
            "typedef int word;\nstruct pair { word a, b; };\nenum { ONE, TWO };\nextern struct pair make(void);\n"
        );
        assert_eq!(seed.program, "int main(void) { return make().a + TWO; }\n");
    }
}
