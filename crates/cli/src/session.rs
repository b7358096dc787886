//! One run of the command: where its words go, how they may look there, and the token that cancels it. A worker's words
//! go to its supervisor, who prints them.

use std::io::{self, IsTerminal, Write};

use base::CancelToken;
use report::Look;

use crate::wire::Message;
use crate::worker::Looks;

/// Columns where nobody says how many there are.
const DEFAULT_WIDTH: usize = 100;

#[derive(Debug)]
pub struct Session {
    pub cancel: CancelToken,
    /// The looks of standard output and of standard error.
    pub out: Look,
    pub err: Look,
    is_worker: bool,
}

impl Session {
    pub fn new() -> Self {
        let (out, err) = (look_of(&io::stdout()), look_of(&io::stderr()));
        Self { cancel: CancelToken::new(), out, err, is_worker: false }
    }

    /// The session of a worker, whose supervisor has streams that look like this.
    pub fn of_worker(looks: Looks) -> Self {
        Self { cancel: CancelToken::new(), out: looks.out, err: looks.err, is_worker: true }
    }

    pub fn is_supervised(&self) -> bool {
        self.is_worker
    }

    /// Writes to standard output. A reader that has gone away (`| head`) has seen enough: that is no error.
    pub fn print(&self, text: &[u8]) {
        if self.is_worker {
            return self.tell(&Message::Output(text.to_vec()));
        }
        write_all(&mut io::stdout().lock(), text);
    }

    /// Writes to standard error.
    pub fn remark(&self, text: &str) {
        if self.is_worker {
            return self.tell(&Message::Remark(text.to_owned()));
        }
        write_all(&mut io::stderr().lock(), text.as_bytes());
    }

    /// Tells the supervisor something, if there is one.
    pub fn tell(&self, message: &Message) {
        if self.is_worker {
            // A supervisor that has gone away ends the worker by other means.
            let _ = message.write_to(&mut io::stdout().lock());
        }
    }
}

/// Where words can no longer be said, they are not said; the exit code still is.
fn write_all(stream: &mut impl Write, text: &[u8]) {
    let _ = stream.write_all(text).and_then(|()| stream.flush());
}

fn look_of<S: IsTerminal + anstream::stream::RawStream>(stream: &S) -> Look {
    let colour = anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never;
    let width = if IsTerminal::is_terminal(stream) { terminal_width() } else { None };
    Look { colour, unicode: locale_is_utf8(), width: width.unwrap_or(DEFAULT_WIDTH) }
}

fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// By the usual rule: the first of these variables that is set and not empty decides.
fn locale_is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty());
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
