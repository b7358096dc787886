//! What a long check is doing, on one line that goes away; only on a terminal.

use std::time::Duration;

use engines::{Observer, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows progress on standard error if that is a terminal.
pub struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    pub fn new(wanted: bool) -> Self {
        let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").map(|style| style.tick_chars("|/-\\ "));
        bar.set_style(style.expect("the template should be well formed"));
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar }
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for ProgressLine {
    fn progress(&self, progress: &Progress) {
        let text = match progress {
            Progress::Unfolding { unwind } => format!("unfolding {unwind} rounds of each loop"),
            Progress::Solving { property, unwind, events } => {
                format!("checking {property}: {events} events, up to {unwind} rounds of each loop")
            }
        };
        self.bar.set_message(text);
    }
}
