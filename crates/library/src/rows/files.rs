//! `<unistd.h>`, `<fcntl.h>` and `<sys/stat.h>`.

use super::{TEXT, between, number, object, stable};
use crate::contract::{ANY_ERROR, AccessExtent, Argument, CallOutcome, ChosenNumber, LibraryRow, Lifetime};

const PID: i64 = 1 << 22;
const ID: i64 = u32::MAX as i64;

pub const UNISTD: &[LibraryRow] = &[
    LibraryRow::new(&["getpid"], &[], stable(1, PID)),
    LibraryRow::new(&["getppid"], &[], between(0, PID)),
    LibraryRow::model(&["gettid"], &[], CallOutcome::Model(None)),
    LibraryRow::new(&["getuid"], &[], stable(0, ID)),
    LibraryRow::new(&["geteuid"], &[], stable(0, ID)),
    LibraryRow::new(&["getgid"], &[], stable(0, ID)),
    LibraryRow::new(&["getegid"], &[], stable(0, ID)),
    LibraryRow::lowered(
        &["sysconf"],
        &[number(84)],
        CallOutcome::Number(ChosenNumber { low: -1, high: 1 << 40, lifetime: Lifetime::PerArgument }),
    ),
    LibraryRow::model(&["isatty"], &[number(0)], CallOutcome::Model(Some("r == 1"))),
    LibraryRow::new(&["sleep"], &[number(1)], CallOutcome::Constant(0)).yielding(),
    LibraryRow::new(&["usleep"], &[number(1)], CallOutcome::Constant(0)).yielding(),
    LibraryRow::model(&["close"], &[number(0)], CallOutcome::Model(Some("r == 0"))),
    LibraryRow::model(
        &["read"],
        &[number(0), Argument::writes(AccessExtent::Argument(2)), number(4)],
        CallOutcome::Model(Some("r >= 0")),
    ),
    LibraryRow::model(
        &["write"],
        &[number(1), Argument::reads(AccessExtent::Argument(2)), number(4)],
        CallOutcome::Model(Some("r == 4")),
    ),
    LibraryRow::model(&["lseek"], &[number(0), number(0), number(0)], CallOutcome::Model(Some("r >= 0"))),
    LibraryRow::model(&["unlink"], &[TEXT], CallOutcome::Model(Some("r == 0"))),
    LibraryRow::model(&["access"], &[TEXT, number(0)], CallOutcome::Model(Some("r == 0"))),
    LibraryRow::model(
        &["getcwd"],
        &[Argument::writes(AccessExtent::Argument(1)).or_null(), number(8)],
        CallOutcome::Model(Some("r != 0")),
    ),
    LibraryRow::model(
        &["gethostname"],
        &[Argument::writes(AccessExtent::Argument(1)), number(8)],
        CallOutcome::Model(Some("r == 0")),
    ),
];

pub const FCNTL: &[LibraryRow] =
    &[LibraryRow::model(&["open"], &[TEXT, number(0)], CallOutcome::Model(Some("r >= 0")))];

pub const STAT: &[LibraryRow] = &[
    LibraryRow::model(&["mkdir"], &[TEXT, number(0)], CallOutcome::Model(Some("r == 0"))),
    LibraryRow::lowered(
        &["stat", "lstat", "stat64"],
        &[TEXT, Argument::writes(object("struct stat"))],
        CallOutcome::Status(ANY_ERROR),
    ),
    LibraryRow::lowered(
        &["fstat", "fstat64"],
        &[number(0), Argument::writes(object("struct stat"))],
        CallOutcome::Status(ANY_ERROR),
    ),
];
