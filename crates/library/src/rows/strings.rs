//! `<string.h>` and `<strings.h>`: models in C, byte by byte.

use super::{PART, TEXT, number, object};
use crate::contract::{AccessExtent, Argument, CallOutcome, LibraryRow};

const EXACT: CallOutcome = CallOutcome::Model(None);
const WRITES_TEXT: Argument = Argument::writes(AccessExtent::Text);
const READS_N: Argument = Argument::reads(AccessExtent::Argument(2));

pub const STRING: &[LibraryRow] = &[
    LibraryRow::model(&["strlen"], &[TEXT], EXACT),
    LibraryRow::model(&["strnlen"], &[Argument::reads(AccessExtent::TextUpTo(1)), number(3)], EXACT),
    LibraryRow::model(&["strcmp"], &[TEXT, TEXT], EXACT),
    LibraryRow::model(
        &["strncmp"],
        &[Argument::reads(AccessExtent::TextUpTo(2)), Argument::reads(AccessExtent::TextUpTo(2)), number(3)],
        EXACT,
    ),
    LibraryRow::model(&["strcpy", "stpcpy"], &[WRITES_TEXT, TEXT], EXACT),
    LibraryRow::model(
        &["strncpy"],
        &[Argument::writes(AccessExtent::Argument(2)), Argument::reads(AccessExtent::TextUpTo(2)), number(3)],
        EXACT,
    ),
    LibraryRow::model(&["strchr", "strrchr", "index", "rindex"], &[PART, number(97)], EXACT),
    LibraryRow::model(&["strspn", "strcspn", "strpbrk", "strstr"], &[PART, TEXT], EXACT),
    LibraryRow::model(&["strdup"], &[TEXT], CallOutcome::Model(None)),
    LibraryRow::model(&["strndup"], &[Argument::reads(AccessExtent::TextUpTo(1)), number(3)], CallOutcome::Model(None)),
    LibraryRow::model(&["memcmp", "bcmp"], &[READS_N, READS_N, number(4)], EXACT),
    LibraryRow::model(&["memchr", "memrchr"], &[PART, number(0), number(4)], EXACT),
    LibraryRow::lowered(
        &["memcpy", "memmove", "mempcpy"],
        &[Argument::writes(AccessExtent::Argument(2)), READS_N, number(4)],
        EXACT,
    ),
    LibraryRow::lowered(&["memset"], &[Argument::writes(AccessExtent::Argument(2)), number(0), number(4)], EXACT),
    LibraryRow::model(&["strtok_r"], &[Argument::Other("text"), TEXT, Argument::updates(object("char *"))], EXACT),
    LibraryRow::model(&["strtok"], &[Argument::Other("text"), TEXT], EXACT).writing("__gordian_strtok_next"),
    LibraryRow::model(&["strerror"], &[number(2)], EXACT).writing("__gordian_error_text"),
];

pub const STRINGS: &[LibraryRow] = &[
    LibraryRow::model(&["strcasecmp"], &[TEXT, TEXT], EXACT),
    LibraryRow::model(
        &["strncasecmp"],
        &[Argument::reads(AccessExtent::TextUpTo(2)), Argument::reads(AccessExtent::TextUpTo(2)), number(3)],
        EXACT,
    ),
    LibraryRow::lowered(&["bzero"], &[Argument::writes(AccessExtent::Argument(1)), number(4)], CallOutcome::Void),
];
