//! The process that does the work of a command. It is started by a [supervisor](crate::supervisor) as the same binary
//! with a mark in front of its arguments, says everything over its standard output, and is asked to stop by the end of
//! its standard input, which also comes when the supervisor dies.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process;
use std::thread;
use std::time::Duration;

use base::CancelToken;
use report::Look;

use crate::exit_code::Exit;
use crate::several_programs::Selection;

/// The argument that makes a process a worker, followed by the looks of the supervisor's streams. Not for users.
const MARK: &str = "--supervised";

/// How long a worker whose supervisor has gone may take to end by itself.
const ORPHANED: Duration = Duration::from_secs(5);

/// The looks of standard output and standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looks {
    pub out: Look,
    pub err: Look,
}

/// What a worker is told besides the user's arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orders {
    pub looks: Looks,
    /// The files that it is to read; `None` for all.
    pub selection: Option<Selection>,
}

const ALL_FILES: &str = "all";

/// What a supervisor puts in front of the user's arguments.
pub fn mark(orders: &Orders) -> [String; 3] {
    let fields = |look: Look| format!("{},{},{}", look.colour, look.unicode, look.width);
    let files = orders.selection.as_ref().map_or(ALL_FILES.to_owned(), Selection::to_string);
    [MARK.to_owned(), format!("{},{}", fields(orders.looks.out), fields(orders.looks.err)), files]
}

/// Takes the mark off the arguments (the first of which is the name of the program), if it is there.
pub fn take_mark(arguments: &mut Vec<OsString>) -> Option<Orders> {
    if arguments.get(1).is_none_or(|first| first != MARK) {
        return None;
    }
    let looks = parse_looks(arguments.get(2)?.to_str()?)?;
    let selection = match arguments.get(3)?.to_str()? {
        ALL_FILES => None,
        files => Some(Selection::parse(files)?),
    };
    arguments.drain(1..4);
    Some(Orders { looks, selection })
}

fn parse_looks(text: &str) -> Option<Looks> {
    let mut fields = text.split(',');
    let mut look = || {
        let (colour, unicode) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Look { colour, unicode, width: fields.next()?.parse().ok()? })
    };
    Some(Looks { out: look()?, err: look()? })
}

/// Cancels when the supervisor says so; ends the process when the supervisor has gone.
pub fn obey(cancel: &CancelToken) {
    // Elsewhere the end of standard input must do.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    let cancel = cancel.clone();
    let watch = move || {
        let _ = io::stdin().read(&mut [0]);
        cancel.cancel();
        thread::sleep(ORPHANED);
        process::exit(i32::from(Exit::Unknown.code()));
    };
    // Without the thread a supervisor can still end the process.
    let _ = thread::Builder::new().name("obey".to_owned()).spawn(watch);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_taken_off_and_nothing_else() {
        let out = Look { colour: true, unicode: false, width: 80 };
        let err = Look { colour: false, unicode: true, width: 120 };
        let orders = Orders { looks: Looks { out, err }, selection: Some(Selection(vec![0, 3])) };
        let mark = mark(&orders);
        let words = ["gordian", &mark[0], &mark[1], &mark[2], "check", "a.c"];
        let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
        assert_eq!(take_mark(&mut arguments), Some(orders));
        assert_eq!(arguments, ["gordian", "check", "a.c"]);
        assert_eq!(take_mark(&mut arguments), None);
        assert_eq!(arguments.len(), 3);
        let mut strange: Vec<OsString> = ["gordian", MARK, "1,2", ALL_FILES].map(OsString::from).to_vec();
        assert_eq!(take_mark(&mut strange), None);
    }
}
