//! `<stdlib.h>`.

use super::{PART, TEXT, between, number, object};
use crate::contract::{AccessExtent, Argument, CallOutcome, Demand, LibraryRow};

pub const ENVIRONMENT: &str = "__gordian_environment";

pub const STDLIB: &[LibraryRow] = &[
    LibraryRow::lowered(&["malloc", "valloc"], &[number(4)], CallOutcome::Model(None)).using_errno(),
    LibraryRow::lowered(&["calloc", "aligned_alloc"], &[number(16), number(16)], CallOutcome::Model(None))
        .using_errno(),
    LibraryRow::lowered(&["realloc"], &[Argument::Other("0"), number(4)], CallOutcome::Model(None)).using_errno(),
    LibraryRow::model(&["rand", "random"], &[], CallOutcome::Model(None)),
    LibraryRow::model(&["rand_r"], &[Argument::updates(object("unsigned"))], CallOutcome::Model(None)),
    LibraryRow::model(&["lrand48", "mrand48"], &[], CallOutcome::Model(None)).writing("__gordian_drand48"),
    LibraryRow::model(&["drand48"], &[], CallOutcome::Model(None)).writing("__gordian_drand48"),
    LibraryRow::model(&["srand48"], &[number(1)], CallOutcome::Void).writing("__gordian_drand48"),
    LibraryRow::model(&["srand", "srandom"], &[number(1)], CallOutcome::Void),
    LibraryRow::lowered(&["getenv", "secure_getenv"], &[TEXT], CallOutcome::Model(Some("r != 0"))).reading(ENVIRONMENT),
    LibraryRow::lowered(&["setenv"], &[TEXT, TEXT, number(1)], CallOutcome::Model(Some("r == 0"))).writing(ENVIRONMENT),
    LibraryRow::lowered(&["unsetenv"], &[TEXT], CallOutcome::Model(Some("r == 0"))).writing(ENVIRONMENT),
    LibraryRow::model(&["atoi", "atol", "atoll", "atof"], &[PART], CallOutcome::Model(None)),
    LibraryRow::model(
        &["strtol", "strtoll", "strtoul", "strtoull"],
        &[PART, Argument::writes(object("char *")).or_null(), number(10)],
        CallOutcome::Model(None),
    ),
    LibraryRow::model(&["strtod"], &[PART, Argument::writes(object("char *")).or_null()], CallOutcome::Model(None)),
    LibraryRow::lowered(
        &["posix_memalign"],
        &[Argument::writes(object("void *")), number(16), number(4)],
        CallOutcome::ErrorNumber(&[]),
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
        CallOutcome::Model(None),
    ),
    LibraryRow::model(
        &["qsort"],
        &[Argument::updates(AccessExtent::Product(1, 2)), number(2), number(4), Argument::Other("compare")],
        CallOutcome::Void,
    ),
    LibraryRow::new(&["get_nprocs"], &[], between(1, 8192)),
    LibraryRow::new(&["get_nprocs_conf"], &[], between(1, 8192)),
];
