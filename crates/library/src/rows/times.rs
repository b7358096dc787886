//! `<time.h>`, `<sys/time.h>` and `<sys/resource.h>`. Clocks show times up to the year 2106, so that ordinary arithmetic
//! with them does not overflow.

use super::stdlib::ENVIRONMENT;
use super::{EINVAL, TEXT, between, number, object};
use crate::contract::{AccessExtent, Argument, CallOutcome, Demand, LibraryRow};
use crate::fields::SECONDS;

const TIME_POINTER: Argument = Argument::reads(object("time_t"));
const READS_TM: Argument = Argument::reads(object("struct tm"));
const READS_TIMESPEC: Argument = Argument::reads(object("struct timespec"));
const WRITES_TIMESPEC: Argument = Argument::writes(object("struct timespec"));

/// Linux has no clock 10.
const CLOCKS: &[Demand] = &[Demand::between(0, 0, 11, &[EINVAL]).except(&[10])];

pub const TIME: &[LibraryRow] = &[
    LibraryRow::lowered(&["time"], &[Argument::writes(object("time_t")).or_null()], between(SECONDS.low, SECONDS.high)),
    LibraryRow::model(&["clock_gettime"], &[number(0), WRITES_TIMESPEC], CallOutcome::CheckedStatus).demanding(CLOCKS),
    LibraryRow::model(&["clock_getres"], &[number(0), WRITES_TIMESPEC.or_null()], CallOutcome::CheckedStatus)
        .demanding(CLOCKS),
    LibraryRow::model(&["nanosleep"], &[READS_TIMESPEC, Argument::Other("0")], CallOutcome::Model(None)),
    LibraryRow::model(
        &["clock_nanosleep"],
        &[number(0), number(0), READS_TIMESPEC, Argument::Other("0")],
        CallOutcome::Model(None),
    ),
    LibraryRow::model(&["timespec_get"], &[WRITES_TIMESPEC, number(1)], CallOutcome::Model(None)),
    LibraryRow::model(&["clock"], &[], CallOutcome::Model(None)),
    LibraryRow::lowered(
        &["localtime_r"],
        &[TIME_POINTER, Argument::writes(object("struct tm"))],
        CallOutcome::ArgumentOrNull(1),
    )
    .reading(ENVIRONMENT)
    .using_errno(),
    LibraryRow::model(
        &["gmtime_r"],
        &[TIME_POINTER, Argument::writes(object("struct tm"))],
        CallOutcome::ArgumentOrNull(1),
    )
    .reading(ENVIRONMENT)
    .using_errno(),
    LibraryRow::model(&["localtime", "gmtime"], &[TIME_POINTER], CallOutcome::Model(None))
        .writing("__gordian_broken_down")
        .using_errno(),
    // It fails only of dates far from ours.
    LibraryRow::model(&["mktime"], &[Argument::updates(object("struct tm"))], CallOutcome::Model(None))
        .using_errno()
        .reading(ENVIRONMENT),
    LibraryRow::model(
        &["strftime"],
        &[Argument::writes(AccessExtent::Argument(1)), number(8), TEXT, READS_TM],
        CallOutcome::Model(Some("r != 0")),
    )
    .reading(ENVIRONMENT),
    LibraryRow::model(
        &["ctime_r"],
        &[TIME_POINTER, Argument::writes(AccessExtent::Bytes(26))],
        CallOutcome::Model(None),
    )
    .using_errno(),
    LibraryRow::model(&["ctime"], &[TIME_POINTER], CallOutcome::Model(None))
        .writing("__gordian_date_text")
        .using_errno(),
    LibraryRow::model(&["asctime_r"], &[READS_TM, Argument::writes(AccessExtent::Bytes(26))], CallOutcome::Model(None)),
    LibraryRow::model(&["asctime"], &[READS_TM], CallOutcome::Model(None)).writing("__gordian_date_text"),
    LibraryRow::model(&["tzset"], &[], CallOutcome::Void).reading(ENVIRONMENT).using_errno(),
];

pub const SYS_TIME: &[LibraryRow] = &[LibraryRow::new(
    &["gettimeofday"],
    &[Argument::writes(object("struct timeval")).or_null(), Argument::writes(AccessExtent::Bytes(8)).or_null()],
    CallOutcome::Constant(0),
)];

pub const RESOURCE: &[LibraryRow] = &[LibraryRow::model(
    &["getrusage"],
    &[number(0), Argument::writes(object("struct rusage"))],
    CallOutcome::CheckedStatus,
)
.demanding(&[Demand::between(0, -1, 1, &[EINVAL])])];
