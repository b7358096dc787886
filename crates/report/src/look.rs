//! How text may look where it is going: colours, characters and width.

use anstyle::{AnsiColor, Style};

/// What the reader's terminal (or file) can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub colour: bool,
    /// Box-drawing characters and arrows; otherwise plain ASCII.
    pub unicode: bool,
    /// Columns; at least [`Look::MIN_WIDTH`] are used.
    pub width: usize,
}

impl Look {
    /// Without colour, in ASCII, 100 columns wide: what a file or a pipe gets at least.
    pub const PLAIN: Look = Look { colour: false, unicode: false, width: 100 };

    /// Narrower text would be unreadable; a narrower terminal wraps instead.
    pub const MIN_WIDTH: usize = 60;

    pub fn columns(self) -> usize {
        self.width.max(Self::MIN_WIDTH)
    }

    pub fn glyphs(self) -> &'static Glyphs {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    pub fn bad(self, text: &str) -> String {
        self.paint(text, AnsiColor::BrightRed.on_default().bold())
    }

    pub fn good(self, text: &str) -> String {
        self.paint(text, AnsiColor::BrightGreen.on_default().bold())
    }

    pub fn unsure(self, text: &str) -> String {
        self.paint(text, AnsiColor::BrightYellow.on_default().bold())
    }

    pub fn strong(self, text: &str) -> String {
        self.paint(text, Style::new().bold())
    }

    pub fn faint(self, text: &str) -> String {
        self.paint(text, Style::new().dimmed())
    }

    fn paint(self, text: &str, style: Style) -> String {
        if self.colour && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// The characters that lanes are drawn with.
#[derive(Debug)]
pub struct Glyphs {
    pub bar: &'static str,
    pub rule: &'static str,
    pub crossing: &'static str,
    /// The rule of a context switch.
    pub switch: &'static str,
    pub becomes: &'static str,
    pub failure: &'static str,
    pub ellipsis: &'static str,
}

const UNICODE: Glyphs =
    Glyphs { bar: "│", rule: "─", crossing: "┼", switch: "┄", becomes: "→", failure: "✗", ellipsis: "…" };

const ASCII: Glyphs =
    Glyphs { bar: "|", rule: "-", crossing: "+", switch: ".", becomes: "->", failure: "!!", ellipsis: "..." };
