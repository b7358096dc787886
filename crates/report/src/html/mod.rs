//! The report as one page for the browser, with nothing to load from elsewhere: summary, source with the findings, and for
//! each violation an interleaving to step through, with the values of shared variables, who read what from whom, and
//! the order of events as a drawing.
//!
//! Everything that comes from the program is data: JSON inside the page, with every character escaped that could end it,
//! and put into the document as text only (`page.js`). The page's policy allows exactly that script and no other.

mod data;

use sha2::{Digest, Sha256};

use crate::verdict::CheckReport;

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// The whole page.
pub fn render(report: &CheckReport<'_>, version: &str) -> String {
    let data = serde_json::to_string(&data::Page::new(report, version)).expect("a report should have only string keys");
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{hash}'");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>Gordian report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <main id=\"page\"><noscript>This page needs JavaScript to show the report.</noscript></main>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        escape(&data)
    )
}

/// JSON that can stand inside a `script` element: what HTML could take for its own is written as an escape of JSON.
fn escape(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let number =
            group.iter().fold(0, |number: u32, &byte| number << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for digit in 0..4 {
            let shown = digit <= group.len();
            out.push(if shown { char::from(DIGITS[(number >> (18 - 6 * digit) & 63) as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::{long_trace, lost_update};
    use base::Statistics;
    use program::{Outcome, Program, Property, Trace, TraceEventKind};
    use std::time::Duration;

    fn page(program: &Program, trace: Trace) -> String {
        let report = CheckReport {
            program,
            checker: "engine order",
            outcomes: &[(Property::Assert, Outcome::Violated(Box::new(trace)))],
            provenance: &program::Provenances::new(),
            assumptions: &[],
            statistics: &Statistics::new(),
            elapsed: Duration::from_secs(1),
            stopped: None,
            suppressions: &[],
            reach: &crate::coverage::Reach::default(),
        };
        render(&report, "1.2.3")
    }

    #[test]
    fn nothing_from_the_program_is_markup() {
        let (program, mut trace) = lost_update();
        let evil = "</script><img src=x onerror=\"alert(1)\">&\u{2028}<!--";
        trace.violation.message = evil.to_owned();
        trace.events[2].kind = TraceEventKind::Write { place: evil.to_owned(), value: evil.to_owned() };
        let page = page(&program, trace);
        assert!(!page.contains("<img") && !page.contains("<!--") && !page.contains('\u{2028}'));
        assert_eq!(page.matches("</script>").count(), 2);
        let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        assert_eq!(data["findings"][0]["message"], evil);
    }

    #[test]
    fn a_page_stays_small() {
        let (program, trace) = long_trace(300);
        assert!(page(&program, trace).len() < 200_000);
        let (program, trace) = long_trace(100_000);
        assert!(page(&program, trace).len() < 2_000_000, "the beginning of an enormous trace is left out");
    }

    #[test]
    fn base64_is_the_usual_one() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"f"), "Zg==");
        assert_eq!(base64(b"fo"), "Zm8=");
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
    }
}
