//! `<stdlib.h>`.

use super::{PART, TEXT, between, number, object};
use crate::contract::{AccessExtent, Argument, Demand, LibraryRow, Outcome};

pub const ENVIRONMENT: &str = "__gordian_environment";

pub const STDLIB: &[LibraryRow] = &[
    LibraryRow::lowered(&["malloc", "valloc"], &[number(4)], Outcome::Model(None)).using_errno(),
    LibraryRow::lowered(&["calloc", "aligned_alloc"], &[number(16), number(16)], Outcome::Model(None)).using_errno(),
    LibraryRow::lowered(&["realloc"], &[Argument::Other("0"), number(4)], Outcome::Model(None)).using_errno(),
    LibraryRow::model(&["rand", "random"], &[], Outcome::Model(None)),
    LibraryRow::model(&["rand_r"], &[Argument::updates(object("unsigned"))], Outcome::Model(None)),
    LibraryRow::model(&["lrand48", "mrand48"], &[], Outcome::Model(None)).writing("__gordian_drand48"),
    LibraryRow::model(&["drand48"], &[], Outcome::Model(None)).writing("__gordian_drand48"),
    LibraryRow::model(&["srand48"], &[number(1)], Outcome::Void).writing("__gordian_drand48"),
    LibraryRow::model(&["srand", "srandom"], &[number(1)], Outcome::Void),
    LibraryRow::lowered(&["getenv", "secure_getenv"], &[TEXT], Outcome::Model(Some("r != 0"))).reading(ENVIRONMENT),
    LibraryRow::lowered(&["setenv"], &[TEXT, TEXT, number(1)], Outcome::Model(Some("r == 0"))).writing(ENVIRONMENT),
    LibraryRow::lowered(&["unsetenv"], &[TEXT], Outcome::Model(Some("r == 0"))).writing(ENVIRONMENT),
    LibraryRow::model(&["atoi", "atol", "atoll", "atof"], &[PART], Outcome::Model(None)),
    LibraryRow::model(
        &["strtol", "strtoll", "strtoul", "strtoull"],
        &[PART, Argument::writes(object("char *")).or_null(), number(10)],
        Outcome::Model(None),
    ),
    LibraryRow::model(&["strtod"], &[PART, Argument::writes(object("char *")).or_null()], Outcome::Model(None)),
    LibraryRow::lowered(
        &["posix_memalign"],
        &[Argument::writes(object("void *")), number(16), number(4)],
        Outcome::ErrorNumber(&[]),
    )
    .demanding(&[Demand::between(1, 8, 1 << 30, &[22])]),
    LibraryRow::model(
        &["bsearch"],
        &[
            Argument::reads(object("int")),
            Argument::reads(AccessExtent::Product(2, 3)),
            number(1),
            number(4),
            Argument::Other("compare"),
        ],
        Outcome::Model(None),
    ),
    LibraryRow::model(
        &["qsort"],
        &[Argument::updates(AccessExtent::Product(1, 2)), number(2), number(4), Argument::Other("compare")],
        Outcome::Void,
    ),
    LibraryRow::new(&["get_nprocs"], &[], between(1, 8192)),
    LibraryRow::new(&["get_nprocs_conf"], &[], between(1, 8192)),
];
