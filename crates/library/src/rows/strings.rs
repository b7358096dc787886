//! `<string.h>` and `<strings.h>`: models in C, byte by byte.

use super::{PART, TEXT, number, object};
use crate::contract::{Argument, Extent, Outcome, Row};

const EXACT: Outcome = Outcome::Model(None);
const WRITES_TEXT: Argument = Argument::writes(Extent::Text);
const READS_N: Argument = Argument::reads(Extent::Argument(2));

pub const STRING: &[Row] = &[
    Row::model(&["strlen"], &[TEXT], EXACT),
    Row::model(&["strnlen"], &[Argument::reads(Extent::TextUpTo(1)), number(3)], EXACT),
    Row::model(&["strcmp"], &[TEXT, TEXT], EXACT),
    Row::model(
        &["strncmp"],
        &[Argument::reads(Extent::TextUpTo(2)), Argument::reads(Extent::TextUpTo(2)), number(3)],
        EXACT,
    ),
    Row::model(&["strcpy", "stpcpy"], &[WRITES_TEXT, TEXT], EXACT),
    Row::model(
        &["strncpy"],
        &[Argument::writes(Extent::Argument(2)), Argument::reads(Extent::TextUpTo(2)), number(3)],
        EXACT,
    ),
    Row::model(&["strchr", "strrchr", "index", "rindex"], &[PART, number(97)], EXACT),
    Row::model(&["strspn", "strcspn", "strpbrk", "strstr"], &[PART, TEXT], EXACT),
    Row::model(&["strdup"], &[TEXT], Outcome::Model(None)),
    Row::model(&["strndup"], &[Argument::reads(Extent::TextUpTo(1)), number(3)], Outcome::Model(None)),
    Row::model(&["memcmp", "bcmp"], &[READS_N, READS_N, number(4)], EXACT),
    Row::model(&["memchr", "memrchr"], &[PART, number(0), number(4)], EXACT),
    Row::lowered(
        &["memcpy", "memmove", "mempcpy"],
        &[Argument::writes(Extent::Argument(2)), READS_N, number(4)],
        EXACT,
    ),
    Row::lowered(&["memset"], &[Argument::writes(Extent::Argument(2)), number(0), number(4)], EXACT),
    Row::model(&["strtok_r"], &[Argument::Other("text"), TEXT, Argument::updates(object("char *"))], EXACT),
    Row::model(&["strtok"], &[Argument::Other("text"), TEXT], EXACT).writing("__gordian_strtok_next"),
    Row::model(&["strerror"], &[number(2)], EXACT).writing("__gordian_error_text"),
];

pub const STRINGS: &[Row] = &[
    Row::model(&["strcasecmp"], &[TEXT, TEXT], EXACT),
    Row::model(
        &["strncasecmp"],
        &[Argument::reads(Extent::TextUpTo(2)), Argument::reads(Extent::TextUpTo(2)), number(3)],
        EXACT,
    ),
    Row::lowered(&["bzero"], &[Argument::writes(Extent::Argument(1)), number(4)], Outcome::Void),
];
