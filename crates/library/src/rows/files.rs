//! `<unistd.h>`, `<fcntl.h>` and `<sys/stat.h>`.

use super::{TEXT, between, number, object, stable};
use crate::contract::{ANY_ERROR, Argument, Choice, Extent, Lifetime, Outcome, Row};

const PID: i64 = 1 << 22;
const ID: i64 = u32::MAX as i64;

pub const UNISTD: &[Row] = &[
    Row::new(&["getpid"], &[], stable(1, PID)),
    Row::new(&["getppid"], &[], between(0, PID)),
    Row::model(&["gettid"], &[], Outcome::Model(None)),
    Row::new(&["getuid"], &[], stable(0, ID)),
    Row::new(&["geteuid"], &[], stable(0, ID)),
    Row::new(&["getgid"], &[], stable(0, ID)),
    Row::new(&["getegid"], &[], stable(0, ID)),
    Row::lowered(
        &["sysconf"],
        &[number(84)],
        Outcome::Number(Choice { low: -1, high: 1 << 40, lifetime: Lifetime::PerArgument }),
    ),
    Row::model(&["isatty"], &[number(0)], Outcome::Model(Some("r == 1"))),
    Row::new(&["sleep"], &[number(1)], Outcome::Constant(0)).yielding(),
    Row::new(&["usleep"], &[number(1)], Outcome::Constant(0)).yielding(),
    Row::model(&["close"], &[number(0)], Outcome::Model(Some("r == 0"))),
    Row::model(
        &["read"],
        &[number(0), Argument::writes(Extent::Argument(2)), number(4)],
        Outcome::Model(Some("r >= 0")),
    ),
    Row::model(
        &["write"],
        &[number(1), Argument::reads(Extent::Argument(2)), number(4)],
        Outcome::Model(Some("r == 4")),
    ),
    Row::model(&["lseek"], &[number(0), number(0), number(0)], Outcome::Model(Some("r >= 0"))),
    Row::model(&["unlink"], &[TEXT], Outcome::Model(Some("r == 0"))),
    Row::model(&["access"], &[TEXT, number(0)], Outcome::Model(Some("r == 0"))),
    Row::model(
        &["getcwd"],
        &[Argument::writes(Extent::Argument(1)).or_null(), number(8)],
        Outcome::Model(Some("r != 0")),
    ),
    Row::model(&["gethostname"], &[Argument::writes(Extent::Argument(1)), number(8)], Outcome::Model(Some("r == 0"))),
];

pub const FCNTL: &[Row] = &[Row::model(&["open"], &[TEXT, number(0)], Outcome::Model(Some("r >= 0")))];

pub const STAT: &[Row] = &[
    Row::model(&["mkdir"], &[TEXT, number(0)], Outcome::Model(Some("r == 0"))),
    Row::lowered(
        &["stat", "lstat", "stat64"],
        &[TEXT, Argument::writes(object("struct stat"))],
        Outcome::Status(ANY_ERROR),
    ),
    Row::lowered(
        &["fstat", "fstat64"],
        &[number(0), Argument::writes(object("struct stat"))],
        Outcome::Status(ANY_ERROR),
    ),
];
