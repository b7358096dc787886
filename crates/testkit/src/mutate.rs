//! Mutated programs: what comes of a program when tokens are deleted, swapped, repeated or replaced, when it is cut
//! off, has random bytes in it or parts of other programs. A seed names a mutant.

use crate::random::Random;
use crate::seed_text::SeedText;

/// A mutant has at most this many changes.
const MAX_CHANGES: usize = 4;

/// The longest part that is deleted, repeated or taken from another program, in pieces.
const MAX_PART: usize = 40;

/// Mutants are not made longer than this, in bytes.
const MAX_LENGTH: usize = 60_000;

/// Tokens that are likely to upset a front end where another one stood.
const NASTY: [&str; 64] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "+=",
    "++",
    "--",
    "->",
    ".",
    "...",
    "?",
    ":",
    "&&",
    "||",
    "/",
    "%",
    "<<",
    "-",
    "~",
    "!",
    "\"",
    "'",
    "/*",
    "//",
    "\\",
    "#",
    "0x",
    "1e",
    "08",
    "L\"",
    "typedef",
    "struct",
    "union",
    "enum",
    "sizeof",
    "return",
    "goto",
    "case",
    "default",
    "break",
    "continue",
    "switch",
    "static",
    "extern",
    "_Atomic",
    "volatile",
    "double",
    "float",
    "char",
    "void",
    "long",
    "unsigned",
    "_Bool",
    "__int128",
    "_Thread_local",
    "typeof(",
    "({",
];

/// Numbers at which something ends.
const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "2",
    "-1",
    "7",
    "8",
    "31",
    "32",
    "63",
    "64",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295U",
    "9223372036854775807",
    "18446744073709551615U",
    "1.5",
];

const OPERATORS: [&str; 17] =
    ["+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "==", "&&", "||", "<<", ">>", ",", "="];

const TYPES: [&str; 12] = [
    "int",
    "char",
    "short",
    "long",
    "unsigned",
    "float",
    "double",
    "void",
    "_Bool",
    "long long",
    "_Atomic int",
    "const int",
];

/// Makes mutants of some programs.
#[derive(Debug)]
pub struct Mutator<'t> {
    programs: Vec<SourcePieces<'t>>,
}

#[derive(Debug)]
struct SourcePieces<'t> {
    declarations: Vec<&'t str>,
    program: Vec<&'t str>,
}

impl<'t> Mutator<'t> {
    /// `seeds` are not empty.
    pub fn new(seeds: &'t [SeedText]) -> Self {
        let cut = |seed: &'t SeedText| SourcePieces {
            declarations: pieces(&seed.declarations).collect(),
            program: pieces(&seed.program).collect(),
        };
        Self { programs: seeds.iter().map(cut).collect() }
    }

    /// The mutant that `seed` names.
    pub fn mutant(&self, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let original = &self.programs[random.below(self.programs.len())];
        let mut declarations = original.declarations.clone();
        let mut program = original.program.clone();
        // Rough changes exercise the parser, gentle ones what comes after it.
        let is_gentle = random.chance(60);
        for _ in 0..1 + random.below(MAX_CHANGES) {
            // What the author wrote is more interesting than what the headers say.
            let part = if random.chance(93) { &mut program } else { &mut declarations };
            if is_gentle {
                self.change_gently(part, &mut random);
            } else {
                self.change(part, &mut random);
            }
        }
        let mut text = [declarations.concat(), program.concat()].join("\n").into_bytes();
        if random.chance(3) {
            text.truncate(random.below(text.len() + 1));
        }
        if random.chance(3) {
            random_bytes(&mut text, &mut random);
        }
        text.truncate(MAX_LENGTH);
        text
    }

    fn change(&self, text: &mut Vec<&'t str>, random: &mut Random) {
        if text.is_empty() {
            return;
        }
        let here = random.below(text.len());
        match random.below(12) {
            0 => drop(text.remove(here)),
            1 => {
                let there = random.below(text.len());
                text.swap(here, there);
            }
            2 => text.insert(here, text[random.below(text.len())]),
            3 => drop(text.drain(part(text, random))),
            4 => {
                let copy = text[part(text, random)].to_vec();
                drop(text.splice(here..here, copy));
            }
            5 => {
                let from = part(text, random);
                let moved: Vec<&str> = text.drain(from).collect();
                let to = random.below(text.len() + 1);
                drop(text.splice(to..to, moved));
            }
            6 | 7 => {
                let other = &self.programs[random.below(self.programs.len())].program;
                let copy = other[part(other, random)].to_vec();
                drop(text.splice(here..here, copy));
            }
            8 => replace(text, is_number, random.pick(&NUMBERS), random),
            9 => {
                let other = &self.programs[random.below(self.programs.len())].program;
                let word = other[random.below(other.len())];
                replace(text, is_word, word, random);
            }
            10 => {
                let word = text[random.below(text.len())];
                replace(text, is_word, word, random);
            }
            _ => text[here] = random.pick(&NASTY),
        }
    }
}

impl<'t> Mutator<'t> {
    /// Changes after which a program often still is one: whole lines, numbers, names and operators.
    fn change_gently(&self, text: &mut Vec<&'t str>, random: &mut Random) {
        if text.is_empty() {
            return;
        }
        let to = line(text, random).start;
        match random.below(8) {
            0 => drop(text.drain(line(text, random))),
            1 => {
                let copy = text[line(text, random)].to_vec();
                drop(text.splice(to..to, copy));
            }
            2 => {
                let other = &self.programs[random.below(self.programs.len())].program;
                let copy = other[line(other, random)].to_vec();
                drop(text.splice(to..to, copy));
            }
            3 | 4 => replace(text, is_number, random.pick(&NUMBERS), random),
            5 => replace(text, is_operator, random.pick(&OPERATORS), random),
            6 => replace(text, is_type, random.pick(&TYPES), random),
            _ => {
                let words: Vec<&str> = text.iter().copied().filter(|piece| is_word(piece)).collect();
                if !words.is_empty() {
                    replace(text, is_word, random.pick(&words), random);
                }
            }
        }
    }
}

/// The pieces of a line with the line break at its end.
fn line(text: &[&str], random: &mut Random) -> std::ops::Range<usize> {
    let inside = random.below(text.len().max(1));
    let is_break = |piece: &&str| piece.contains('\n');
    let start = text[..inside].iter().rposition(is_break).map_or(0, |end| end + 1);
    let end = text[inside..].iter().position(is_break).map_or(text.len(), |end| inside + end + 1);
    start..end
}

/// Some neighbouring pieces.
fn part(text: &[&str], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(text.len().max(1));
    let length = random.below(MAX_PART + 1).min(text.len() - start);
    start..start + length
}

/// Puts `new` in the place of a piece of some kind, if a few looks find one.
fn replace<'t>(text: &mut [&'t str], is_wanted: fn(&str) -> bool, new: &'t str, random: &mut Random) {
    let looked_at: Vec<usize> = (0..20).map(|_| random.below(text.len())).collect();
    if let Some(index) = looked_at.into_iter().find(|&index| is_wanted(text[index])) {
        text[index] = new;
    }
}

fn random_bytes(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len() + 1);
    let bytes: Vec<u8> = (0..1 + random.below(8)).map(|_| random.below(256) as u8).collect();
    text.splice(at..at, bytes);
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|first: char| first.is_ascii_digit())
}

fn is_word(piece: &str) -> bool {
    piece.starts_with(is_word_character)
}

fn is_operator(piece: &str) -> bool {
    matches!(piece, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<" | ">")
}

fn is_type(piece: &str) -> bool {
    matches!(piece, "int" | "char" | "short" | "long" | "unsigned" | "float" | "double" | "void" | "_Bool")
}

fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Words and numbers, runs of blanks and single other characters: roughly tokens. Joined they are the text again.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match first {
            _ if is_word_character(first) => rest.find(|next| !is_word_character(next)),
            _ if first.is_whitespace() => rest.find(|next: char| !next.is_whitespace()),
            _ => Some(first.len_utf8()),
        };
        let (piece, others) = rest.split_at(end.unwrap_or(rest.len()));
        rest = others;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_about_tokens_and_join_again() {
        let text = "int x_1=é+  23;\n";
        let cut: Vec<&str> = pieces(text).collect();
        assert_eq!(cut, ["int", " ", "x_1", "=", "é", "+", "  ", "23", ";", "\n"]);
        assert_eq!(cut.concat(), text);
    }

    #[test]
    fn a_seed_names_a_mutant_and_mutants_differ() {
        let program = "int x = 1;\nint main(void) { x = x + 1; return x; }\n".to_owned();
        let seeds = [SeedText { declarations: String::new(), program }];
        let mutator = Mutator::new(&seeds);
        assert_eq!(mutator.mutant(3), mutator.mutant(3));
        let mutants: std::collections::BTreeSet<Vec<u8>> = (0..200).map(|seed| mutator.mutant(seed)).collect();
        assert!(mutants.len() > 150, "{}", mutants.len());
    }
}
