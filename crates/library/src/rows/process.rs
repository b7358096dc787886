//! `<signal.h>`, `<syslog.h>`, `<locale.h>` and `<setjmp.h>`. No signal arrives, which is an assumption of programs that set handlers.

use super::{EINVAL, TEXT, number, object};
use crate::contract::{AccessExtent, Argument, CallOutcome, Demand, LibraryRow};

const SIGNAL_NUMBER: &[Demand] = &[Demand::between(1, 1, 64, &[EINVAL])];
const MASKS: &[Demand] = &[Demand::between(0, 0, 2, &[EINVAL]).if_given(1)];
/// The library keeps two signals for itself; those that end and stop a process cannot be handled.
const HANDLED: &[Demand] = &[
    Demand::between(0, 1, 64, &[EINVAL]).except(&[32, 33]),
    Demand::between(0, 1, 64, &[EINVAL]).except(&[9, 19]).if_given(1),
];
const SET: Argument = Argument::writes(object("sigset_t"));
const CHANGED_SET: Argument = Argument::updates(object("sigset_t"));

pub const SIGNAL: &[LibraryRow] = &[
    LibraryRow::lowered(&["signal"], &[number(2), Argument::Other("0")], CallOutcome::Model(Some("r == 0"))),
    LibraryRow::lowered(
        &["sigaction"],
        &[
            number(2),
            Argument::reads(object("struct sigaction")).or_null(),
            Argument::writes(object("struct sigaction")).or_null(),
        ],
        CallOutcome::CheckedStatus,
    )
    .demanding(HANDLED),
    LibraryRow::new(&["sigemptyset", "sigfillset"], &[SET], CallOutcome::CheckedStatus),
    LibraryRow::new(&["sigaddset", "sigdelset"], &[CHANGED_SET, number(2)], CallOutcome::CheckedStatus)
        .demanding(SIGNAL_NUMBER),
    LibraryRow::new(
        &["sigprocmask"],
        &[number(0), Argument::reads(object("sigset_t")).or_null(), SET.or_null()],
        CallOutcome::CheckedStatus,
    )
    .demanding(MASKS)
    .assuming("no signal arrives"),
    LibraryRow::new(
        &["pthread_sigmask"],
        &[number(0), Argument::reads(object("sigset_t")).or_null(), SET.or_null()],
        CallOutcome::ErrorNumber(&[]),
    )
    .demanding(MASKS)
    .assuming("no signal arrives"),
    LibraryRow::new(&["psignal"], &[number(2), TEXT.or_null()], CallOutcome::Void),
];

pub const SYSLOG: &[LibraryRow] = &[
    LibraryRow::model(&["openlog"], &[TEXT.or_null(), number(0), number(8)], CallOutcome::Void).using_errno(),
    LibraryRow::model(&["closelog"], &[], CallOutcome::Void).using_errno(),
    LibraryRow::lowered(&["syslog"], &[number(3), Argument::Format("\"%d\", 1")], CallOutcome::Void).using_errno(),
];

pub const LOCALE: &[LibraryRow] =
    &[LibraryRow::model(&["setlocale"], &[number(6), TEXT.or_null()], CallOutcome::Model(None))
        .writing("__gordian_locale")
        .using_errno()];

/// Nothing comes back: `longjmp` is unsupported where it is reached. In the macros of `pthread_cleanup_push` the buffer is
/// shorter than the function's parameter says.
pub const SETJMP: &[LibraryRow] = &[
    LibraryRow::new(&["__sigsetjmp_cancel"], &[Argument::Other("0"), number(0)], CallOutcome::Constant(0)),
    LibraryRow::new(
        &["__sigsetjmp", "sigsetjmp", "_setjmp", "setjmp"],
        &[Argument::updates(AccessExtent::Object("jmp_buf"))],
        CallOutcome::Constant(0),
    ),
];
