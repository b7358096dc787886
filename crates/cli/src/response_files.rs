//! `@file` among the arguments of a compiler: the words of the file stand in its place, as GCC reads them.

use std::path::Path;

use frontend::preprocess::read_limited;

/// No more files are read for one command, as in GCC: a file may name itself.
const MAX_FILES: usize = 2000;

/// The words of a command, the first of which is the compiler, with those of files, which are looked for from `directory`.
pub fn expand(words: Vec<String>, directory: &Path) -> Result<Vec<String>, String> {
    let mut words = words.into_iter();
    let mut all: Vec<String> = words.next().into_iter().collect();
    let mut rest: Vec<String> = words.rev().collect();
    let mut files = 0;
    while let Some(word) = rest.pop() {
        let Some(name) = word.strip_prefix('@') else {
            all.push(word);
            continue;
        };
        files += 1;
        if files > MAX_FILES {
            return Err(format!("`{word}`, but more than {MAX_FILES} such files are named"));
        }
        let bytes =
            read_limited(&directory.join(name)).map_err(|error| format!("`{word}`, which cannot be read: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("`{word}`, which is not UTF-8"))?;
        rest.extend(split(&text).into_iter().rev());
    }
    Ok(all)
}

/// The words of such a file. Other than for a shell, a backslash takes the meaning from the next character everywhere.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_split_as_gcc_does() {
        assert_eq!(split("-DA='a\\\"b' -DB=\"c\\'d\"\n-DC=x\\ y ''"), ["-DA=a\"b", "-DB=c'd", "-DC=x y", ""]);
        assert_eq!(split("-DE='s t'u\"v w\"\t-DG=\"a'b\"  "), ["-DE=s tuv w", "-DG=a'b"]);
        assert_eq!(split(" \n"), Vec::<String>::new());
    }

    #[test]
    fn files_may_name_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("outer"), "-DA @inner -DC").unwrap();
        std::fs::write(folder.path().join("inner"), "-DB").unwrap();
        std::fs::write(folder.path().join("itself"), "@itself").unwrap();
        let of = |line: &str| expand(line.split_whitespace().map(str::to_owned).collect(), folder.path());
        assert_eq!(of("@cc @outer x.c").unwrap(), ["@cc", "-DA", "-DB", "-DC", "x.c"]);
        assert!(of("cc @itself").unwrap_err().contains("more than"));
        assert!(of("cc @missing").unwrap_err().contains("cannot be read"));
    }
}
