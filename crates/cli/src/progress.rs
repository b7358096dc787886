//! What a long check is doing, on one line that goes away; only on a terminal.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Shows progress on standard error if that is a terminal.
pub struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    pub fn new(wanted: bool, deadline: Option<Instant>) -> Self {
        let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if !bar.is_hidden() {
            bar.set_style(style(deadline));
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Self { bar }
    }

    pub fn show(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Prints without the line in the way.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn style(deadline: Option<Instant>) -> ProgressStyle {
    let left = move |_: &ProgressState, out: &mut dyn Write| {
        if let Some(deadline) = deadline {
            let seconds = deadline.saturating_duration_since(Instant::now()).as_secs();
            // A line that cannot be written is not shown.
            let _ = write!(out, ", {seconds}s left");
        }
    };
    let style = ProgressStyle::with_template("{spinner} {elapsed}{left} {wide_msg}");
    style.expect("the template should be well formed").tick_chars("|/-\\ ").with_key("left", left)
}
