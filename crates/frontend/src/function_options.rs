//! Options of the compiler that a program gives to single functions: by the attributes `optimize` and `target`, or by the pragmas
//! of GCC that give them to all functions behind. They mean what they mean on the command line (`compiler_options.rs`), but
//! define no macro for the text that was preprocessed already.

use crate::compiler_options::{self, OptionSupport};

/// Options with macros, without `-f` and `no-`, that the lowering of a function obeys.
const OBEYED: [&str; 8] = [
    "associative-math",
    "fast-math",
    "finite-math-only",
    "reciprocal-math",
    "signed-zeros",
    "strict-overflow",
    "unsafe-math-optimizations",
    "wrapv",
];

/// Options that change nothing but macros.
const MACROS_ALONE: [&str; 11] = [
    "PIC",
    "PIE",
    "cf-protection",
    "pic",
    "pie",
    "rounding-math",
    "signaling-nans",
    "stack-protector",
    "stack-protector-all",
    "stack-protector-explicit",
    "stack-protector-strong",
];

/// The options in a string of `optimize`, as on the command line: a number is a level, and what is no level begins with `-f`.
pub fn optimize(text: &str) -> Vec<String> {
    let word = |part: &str| match part {
        _ if part.starts_with('-') => part.to_owned(),
        "s" => "-Os".to_owned(),
        _ if part.starts_with(|c: char| c.is_ascii_digit()) => format!("-O{part}"),
        _ if part.starts_with('O') => format!("-{part}"),
        _ => format!("-f{part}"),
    };
    parts(text).map(word).collect()
}

/// The options in a string of `target`.
pub fn target(text: &str) -> Vec<String> {
    parts(text).filter(|part| *part != "default").map(|part| format!("-m{part}")).collect()
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// The first option that gives a function a meaning that is not known.
pub fn unsupported(options: &[String]) -> Option<&str> {
    options.iter().map(String::as_str).find(|option| !is_supported(option))
}

fn is_supported(option: &str) -> bool {
    if option.starts_with("-O") {
        return true;
    }
    match compiler_options::meaning(option, false) {
        OptionSupport::Harmless => true,
        OptionSupport::Unsupported => false,
        OptionSupport::HandedOn => {
            let name = option.strip_prefix("-f").map(|name| name.strip_prefix("no-").unwrap_or(name));
            let name = name.map(|name| name.split('=').next().unwrap_or_default());
            name.is_none_or(|name| OBEYED.contains(&name) || MACROS_ALONE.contains(&name))
        }
    }
}

/// Which options the pragmas `GCC optimize` and `GCC target` have put in force at which token.
#[derive(Clone, Debug, Default)]
pub struct OptionPragmas {
    /// From this token index on, these options hold.
    changes: Vec<(usize, Vec<String>)>,
    pushed: Vec<Vec<String>>,
}

impl OptionPragmas {
    /// The options in force at the token with this index.
    pub fn at(&self, token: usize) -> &[String] {
        let later = self.changes.partition_point(|(from, _)| *from <= token);
        later.checked_sub(1).map_or(&[], |last| &self.changes[last].1)
    }

    /// Takes note of a pragma that stands before the token with index `token`; others mean nothing.
    pub fn pragma(&mut self, text: &str, token: usize) {
        let Some(text) = text.strip_prefix("GCC").filter(|rest| rest.starts_with(char::is_whitespace)) else { return };
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let mut options = self.at(token).to_vec();
        // Every other part between quotes is a string.
        let strings = rest.split('"').skip(1).step_by(2);
        match word {
            "optimize" => options.extend(strings.flat_map(optimize)),
            "target" => options.extend(strings.flat_map(target)),
            "push_options" => return self.pushed.push(options),
            "pop_options" => options = self.pushed.pop().unwrap_or_default(),
            "reset_options" => options.clear(),
            _ => return,
        }
        self.changes.push((token, options));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_become_options_of_the_command_line() {
        assert_eq!(optimize("3, fast-math,-fno-wrapv"), ["-O3", "-ffast-math", "-fno-wrapv"]);
        assert_eq!(optimize("O2,s,,Ofast"), ["-O2", "-Os", "-Ofast"]);
        assert_eq!(target("avx2,default,arch=haswell,no-sse4"), ["-mavx2", "-march=haswell", "-mno-sse4"]);
    }

    #[test]
    fn options_mean_what_they_mean_on_the_command_line() {
        let all = |words: &str| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(unsupported(&all("-O3 -Ofast -fno-strict-aliasing -ffast-math -fwrapv -mavx2 -fPIC")), None);
        assert_eq!(unsupported(&all("-O2 -ftrapv")), Some("-ftrapv"));
        assert_eq!(unsupported(&all("-mfpmath=387")), Some("-mfpmath=387"));
        assert_eq!(unsupported(&all("-fexceptions")), Some("-fexceptions"));
    }

    #[test]
    fn pragmas_hold_up_to_the_next() {
        let mut pragmas = OptionPragmas::default();
        pragmas.pragma("GCC optimize(\"O2\", \"wrapv\")", 10);
        pragmas.pragma("GCC push_options", 20);
        pragmas.pragma("GCC target (\"avx2\")", 20);
        pragmas.pragma("GCC diagnostic push", 25);
        pragmas.pragma("GCC pop_options", 30);
        pragmas.pragma("GCC reset_options", 40);
        assert!(pragmas.at(9).is_empty() && pragmas.at(40).is_empty());
        assert_eq!(pragmas.at(10), ["-O2", "-fwrapv"]);
        assert_eq!(pragmas.at(25), ["-O2", "-fwrapv", "-mavx2"]);
        assert_eq!(pragmas.at(30), ["-O2", "-fwrapv"]);
    }
}
