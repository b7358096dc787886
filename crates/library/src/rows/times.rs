//! `<time.h>`, `<sys/time.h>` and `<sys/resource.h>`. Clocks show times up to the year 2106, so that ordinary arithmetic
//! with them does not overflow.

use super::stdlib::ENVIRONMENT;
use super::{EINVAL, TEXT, between, number, object};
use crate::contract::{Argument, Demand, Extent, Outcome, Row};
use crate::fields::SECONDS;

const TIME_POINTER: Argument = Argument::reads(object("time_t"));
const READS_TM: Argument = Argument::reads(object("struct tm"));
const READS_TIMESPEC: Argument = Argument::reads(object("struct timespec"));
const WRITES_TIMESPEC: Argument = Argument::writes(object("struct timespec"));

/// Linux has no clock 10.
const CLOCKS: &[Demand] = &[Demand::between(0, 0, 11, &[EINVAL]).except(&[10])];

pub const TIME: &[Row] = &[
    Row::lowered(&["time"], &[Argument::writes(object("time_t")).or_null()], between(SECONDS.low, SECONDS.high)),
    Row::model(&["clock_gettime"], &[number(0), WRITES_TIMESPEC], Outcome::CheckedStatus).demanding(CLOCKS),
    Row::model(&["clock_getres"], &[number(0), WRITES_TIMESPEC.or_null()], Outcome::CheckedStatus).demanding(CLOCKS),
    Row::model(&["nanosleep"], &[READS_TIMESPEC, Argument::Other("0")], Outcome::Model(None)),
    Row::model(
        &["clock_nanosleep"],
        &[number(0), number(0), READS_TIMESPEC, Argument::Other("0")],
        Outcome::Model(None),
    ),
    Row::model(&["timespec_get"], &[WRITES_TIMESPEC, number(1)], Outcome::Model(None)),
    Row::model(&["clock"], &[], Outcome::Model(None)),
    Row::lowered(&["localtime_r"], &[TIME_POINTER, Argument::writes(object("struct tm"))], Outcome::ArgumentOrNull(1))
        .reading(ENVIRONMENT),
    Row::model(&["gmtime_r"], &[TIME_POINTER, Argument::writes(object("struct tm"))], Outcome::ArgumentOrNull(1)),
    Row::model(&["localtime", "gmtime"], &[TIME_POINTER], Outcome::Model(None)).writing("__gordian_broken_down"),
    Row::model(&["mktime"], &[Argument::updates(object("struct tm"))], Outcome::Model(Some("r != -1")))
        .reading(ENVIRONMENT),
    Row::model(
        &["strftime"],
        &[Argument::writes(Extent::Argument(1)), number(8), TEXT, READS_TM],
        Outcome::Model(Some("r != 0")),
    )
    .reading(ENVIRONMENT),
    Row::model(&["ctime_r"], &[TIME_POINTER, Argument::writes(Extent::Bytes(26))], Outcome::Model(None)),
    Row::model(&["ctime"], &[TIME_POINTER], Outcome::Model(None)).writing("__gordian_date_text"),
    Row::model(&["asctime_r"], &[READS_TM, Argument::writes(Extent::Bytes(26))], Outcome::Model(None)),
    Row::model(&["asctime"], &[READS_TM], Outcome::Model(None)).writing("__gordian_date_text"),
    Row::model(&["tzset"], &[], Outcome::Void).reading(ENVIRONMENT),
];

pub const SYS_TIME: &[Row] = &[Row::new(
    &["gettimeofday"],
    &[Argument::writes(object("struct timeval")).or_null(), Argument::writes(Extent::Bytes(8)).or_null()],
    Outcome::Constant(0),
)];

pub const RESOURCE: &[Row] =
    &[Row::model(&["getrusage"], &[number(0), Argument::writes(object("struct rusage"))], Outcome::CheckedStatus)
        .demanding(&[Demand::between(0, -1, 1, &[EINVAL])])];
