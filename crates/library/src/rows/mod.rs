//! The rows, by header.

mod files;
mod process;
mod stdio;
mod stdlib;
mod strings;
mod threads;
mod times;

use crate::Header;
use crate::contract::{AccessExtent, Argument, ArgumentAccess, CallOutcome, ChosenNumber, Lifetime, Pointer};

pub static HEADERS: [Header; 18] = [
    Header { name: "pthread.h", rows: threads::PTHREAD },
    Header { name: "semaphore.h", rows: threads::SEMAPHORE },
    Header { name: "threads.h", rows: threads::C11 },
    Header { name: "sched.h", rows: threads::SCHED },
    Header { name: "time.h", rows: times::TIME },
    Header { name: "sys/time.h", rows: times::SYS_TIME },
    Header { name: "sys/resource.h", rows: times::RESOURCE },
    Header { name: "unistd.h", rows: files::UNISTD },
    Header { name: "fcntl.h", rows: files::FCNTL },
    Header { name: "sys/stat.h", rows: files::STAT },
    Header { name: "stdio.h", rows: stdio::STDIO },
    Header { name: "stdlib.h", rows: stdlib::STDLIB },
    Header { name: "string.h", rows: strings::STRING },
    Header { name: "strings.h", rows: strings::STRINGS },
    Header { name: "signal.h", rows: process::SIGNAL },
    Header { name: "syslog.h", rows: process::SYSLOG },
    Header { name: "locale.h", rows: process::LOCALE },
    Header { name: "setjmp.h", rows: process::SETJMP },
];

pub const ENOMEM: i32 = 12;
pub const EINVAL: i32 = 22;
pub const ERANGE: i32 = 34;
pub const ENOTSUP: i32 = 95;

pub const fn number(example: i64) -> Argument {
    Argument::Number(example)
}

pub const fn object(ty: &'static str) -> AccessExtent {
    AccessExtent::Object(ty)
}

pub const TEXT: Argument = Argument::reads(AccessExtent::Text);

pub const PART: Argument = Argument::reads(AccessExtent::Part);

/// A stream that is open.
pub const STREAM: Argument =
    Argument::Pointer(Pointer { access: ArgumentAccess::Stream, extent: AccessExtent::Bytes(4), nullable: false });

/// Any number between the two.
pub const fn between(low: i64, high: i64) -> CallOutcome {
    CallOutcome::Number(ChosenNumber { low, high, lifetime: Lifetime::Call })
}

/// A number between the two that does not change while the process runs.
pub const fn stable(low: i64, high: i64) -> CallOutcome {
    CallOutcome::Number(ChosenNumber { low, high, lifetime: Lifetime::Process })
}
