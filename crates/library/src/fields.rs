//! Values that members of the system's structures can have: a clock shows no more than 999,999,999 nanoseconds, and no
//! time so far away that ordinary arithmetic with it overflows.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberRange {
    pub low: i64,
    pub high: i64,
}

/// Seconds since 1970 that a clock shows: up to the year 2106, or 2038 where a `time_t` has 32 bits.
pub const SECONDS: NumberRange = NumberRange { low: 0, high: 0xffff_ffff };

const MEMBERS: [(&str, i64, i64); 20] = [
    ("tv_sec", SECONDS.low, SECONDS.high),
    ("tv_nsec", 0, 999_999_999),
    ("tv_usec", 0, 999_999),
    ("tz_minuteswest", -1440, 1440),
    ("tz_dsttime", 0, 1),
    ("tm_sec", 0, 60),
    ("tm_min", 0, 59),
    ("tm_hour", 0, 23),
    ("tm_mday", 1, 31),
    ("tm_mon", 0, 11),
    ("tm_year", 69, 207),
    ("tm_wday", 0, 6),
    ("tm_yday", 0, 365),
    ("tm_isdst", -1, 1),
    ("tm_gmtoff", -86_400, 86_400),
    ("st_size", 0, 1 << 48),
    ("st_blksize", 1, 1 << 30),
    ("st_blocks", 0, 1 << 48),
    ("st_nlink", 0, 1 << 30),
    ("ru_maxrss", 0, 1 << 40),
];

/// What a member of that name can hold after the library has written it; `None`: anything.
pub fn range_of_member(name: &str) -> Option<NumberRange> {
    let name = name.trim_start_matches('_');
    MEMBERS.iter().find(|(member, ..)| *member == name).map(|&(_, low, high)| NumberRange { low, high })
}
