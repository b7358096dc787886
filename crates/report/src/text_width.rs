//! Fitting text into columns. Widths are what a terminal shows, not bytes.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a terminal would do something with, or a reader stumble over, becomes visible: tabs are spaces, other control
/// characters are `?`.
pub fn printable(text: &str) -> String {
    let clean = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => '?',
        c => c,
    };
    text.chars().map(clean).collect()
}

/// `text` cut to `width` columns, ending in `ellipsis` if something was cut off.
pub fn truncate(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = prefix(text, width.saturating_sub(ellipsis.width())).to_owned();
    short.push_str(prefix(ellipsis, width));
    short
}

/// `text` followed by spaces up to `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// `text` in lines of at most `width` columns, broken at spaces where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        while line.width() > width {
            // A wide character in a single column still has to go somewhere.
            let head = prefix(&line, width).len().max(line.chars().next().map_or(0, char::len_utf8));
            let rest = line.split_off(head);
            lines.push(std::mem::replace(&mut line, rest));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The longest beginning of `text` that fits into `width` columns.
fn prefix(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    end.map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_counts_columns_and_keeps_what_fits() {
        assert_eq!(truncate("counter++;", 10, "..."), "counter++;");
        assert_eq!(truncate("counter++;", 9, "..."), "counte...");
        assert_eq!(truncate("日本語", 5, "…"), "日本…");
        assert_eq!(truncate("abc", 2, "..."), "..");
    }

    #[test]
    fn wrapping_breaks_at_spaces_and_long_words() {
        assert_eq!(wrap("reads x = 0, writes x = 1", 12), ["reads x = 0,", "writes x = 1"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("日本", 1), ["日", "本"]);
        assert!(wrap("", 5).is_empty());
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\tb\x1b[2J"), "a b?[2J");
    }
}
