//! What the arguments of a compiler change about the meaning of a file: which words are keywords, what `inline` means, and how
//! numbers are computed. Where an argument is given more than once, the last counts.

use crate::lexer::Tokens;
use crate::token::{Token, TokenKind};

/// The C that a file is written in. Default: GNU C17.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dialect {
    /// Signed arithmetic wraps around (`-fwrapv`).
    pub wraps: bool,
    /// `asm` and `typeof` are names (`-std=c99`, `-ansi`, `-fno-asm`).
    pub without_gnu_keywords: bool,
    /// `restrict` is a name: C90, with or without GNU's extensions.
    pub is_c90: bool,
    /// `inline` is a name: C90 without GNU's extensions.
    pub is_strict_c90: bool,
    /// `extern inline` is for inlining alone and `inline` defines an external function (`-std=gnu89`, `-fgnu89-inline`).
    pub gnu89_inline: bool,
    /// A structure inside of another one is an anonymous member even if its type has a name (`-fms-extensions`).
    pub ms_extensions: bool,
    /// Floating-point arithmetic need not give the results of IEEE 754 (`-ffast-math`).
    pub inexact_floats: bool,
    /// `pthread_exit` calls the `cleanup` functions of the objects that it leaves (`-fexceptions`).
    pub unwinds: bool,
}

/// Each of these alone lets a compiler change the results of floating-point arithmetic.
const INEXACT: [&str; 6] = [
    "-fassociative-math",
    "-ffast-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-freciprocal-math",
    "-funsafe-math-optimizations",
];
/// This takes all of them back; the others take back a part.
const EXACT: &str = "-fno-fast-math";

impl Dialect {
    pub fn of(arguments: &[String]) -> Self {
        let mut dialect = Self::default();
        let (mut gnu89_inline, mut is_level_fast) = (None, false);
        for argument in arguments {
            match argument.as_str() {
                arithmetic if dialect.change_arithmetic(arithmetic) => {}
                "-fno-asm" => dialect.without_gnu_keywords = true,
                "-fasm" => dialect.without_gnu_keywords = false,
                "-fgnu89-inline" => gnu89_inline = Some(true),
                "-fno-gnu89-inline" => gnu89_inline = Some(false),
                "-fms-extensions" | "-fplan9-extensions" => dialect.ms_extensions = true,
                "-fno-ms-extensions" | "-fno-plan9-extensions" => dialect.ms_extensions = false,
                "-fexceptions" | "-fnon-call-exceptions" => dialect.unwinds = true,
                "-fno-exceptions" => dialect.unwinds = false,
                "-ansi" => dialect.choose_standard("c90"),
                other if other.starts_with("-O") => is_level_fast = other == "-Ofast",
                other => {
                    if let Some(standard) = other.strip_prefix("-std=") {
                        dialect.choose_standard(standard);
                    }
                }
            }
        }
        dialect.inexact_floats |= is_level_fast;
        dialect.gnu89_inline = gnu89_inline.unwrap_or(dialect.is_c90);
        dialect
    }

    /// How a function with options of its own is computed.
    pub fn for_function(mut self, options: &[String]) -> Self {
        for option in options {
            if option == "-Ofast" {
                self.inexact_floats = true;
            }
            self.change_arithmetic(option);
        }
        self
    }

    /// Whether the argument is about arithmetic, which is then done that way.
    fn change_arithmetic(&mut self, argument: &str) -> bool {
        match argument {
            "-fwrapv" | "-fno-strict-overflow" => self.wraps = true,
            "-fno-wrapv" | "-fstrict-overflow" => self.wraps = false,
            EXACT => self.inexact_floats = false,
            other if INEXACT.contains(&other) => self.inexact_floats = true,
            _ => return false,
        }
        true
    }

    fn choose_standard(&mut self, name: &str) {
        self.without_gnu_keywords = name.starts_with('c') || name.starts_with("iso9899:");
        self.is_c90 = matches!(name, "c89" | "c90" | "gnu89" | "gnu90" | "iso9899:1990" | "iso9899:199409");
        self.is_strict_c90 = self.is_c90 && self.without_gnu_keywords;
    }

    /// Makes names of the keywords that this C does not have.
    pub fn release_keywords(self, source: &[u8], tokens: &mut Tokens) {
        let (names, tokens) = (&mut tokens.names, &mut tokens.tokens);
        for token in tokens.iter_mut() {
            let text = token.text(source);
            if self.is_released(token.kind, text) {
                let symbol = names.intern(&String::from_utf8_lossy(text));
                *token = Token { kind: TokenKind::Identifier, symbol, ..*token };
            }
        }
    }

    fn is_released(self, kind: TokenKind, text: &[u8]) -> bool {
        match kind {
            TokenKind::Asm => self.without_gnu_keywords && text == b"asm",
            TokenKind::Typeof => self.without_gnu_keywords && text == b"typeof",
            TokenKind::Inline => self.is_strict_c90 && text == b"inline",
            TokenKind::Restrict => self.is_c90 && text == b"restrict",
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &str) -> Dialect {
        Dialect::of(&arguments.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn last_argument_counts() {
        assert!(of("-fwrapv").wraps);
        assert!(!of("-fwrapv -fno-wrapv").wraps);
        assert!(of("-O2 -Ofast").inexact_floats);
        assert!(!of("-Ofast -O2").inexact_floats);
        assert!(!of("-ffast-math -fno-fast-math").inexact_floats);
        assert!(of("-ffast-math -fno-unsafe-math-optimizations").inexact_floats);
        assert_eq!(of("-std=c99 -std=gnu17"), Dialect::default());
    }

    #[test]
    fn functions_may_have_options_of_their_own() {
        let with = |dialect: Dialect, options: &str| {
            dialect.for_function(&options.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(with(of(""), "-O2 -fwrapv").wraps);
        assert!(with(of(""), "-Ofast").inexact_floats);
        assert!(with(of("-Ofast"), "-O2").inexact_floats);
        assert!(!with(of("-fwrapv"), "-fno-wrapv").wraps);
    }

    #[test]
    fn standards_have_their_keywords() {
        assert!(of("-std=c99").without_gnu_keywords);
        assert!(!of("-std=c99").is_strict_c90);
        assert!(of("-ansi").is_strict_c90);
        let gnu = of("-std=gnu89");
        assert!(gnu.gnu89_inline && gnu.is_c90 && !gnu.is_strict_c90);
        assert!(!of("-std=gnu89 -fno-gnu89-inline").gnu89_inline);
    }
}
