//! `<stdlib.h>`.

use super::{PART, TEXT, between, number, object};
use crate::contract::{Argument, Demand, Extent, Outcome, Row};

pub const ENVIRONMENT: &str = "__gordian_environment";

pub const STDLIB: &[Row] = &[
    Row::model(&["rand", "random"], &[], Outcome::Model(None)),
    Row::model(&["rand_r"], &[Argument::updates(object("unsigned"))], Outcome::Model(None)),
    Row::model(&["lrand48", "mrand48"], &[], Outcome::Model(None)).writing("__gordian_drand48"),
    Row::model(&["drand48"], &[], Outcome::Model(None)).writing("__gordian_drand48"),
    Row::model(&["srand48"], &[number(1)], Outcome::Void).writing("__gordian_drand48"),
    Row::model(&["srand", "srandom"], &[number(1)], Outcome::Void),
    Row::lowered(&["getenv", "secure_getenv"], &[TEXT], Outcome::Model(Some("r != 0"))).reading(ENVIRONMENT),
    Row::lowered(&["setenv"], &[TEXT, TEXT, number(1)], Outcome::Model(Some("r == 0"))).writing(ENVIRONMENT),
    Row::lowered(&["unsetenv"], &[TEXT], Outcome::Model(Some("r == 0"))).writing(ENVIRONMENT),
    Row::model(&["atoi", "atol", "atoll", "atof"], &[PART], Outcome::Model(None)),
    Row::model(
        &["strtol", "strtoll", "strtoul", "strtoull"],
        &[PART, Argument::writes(object("char *")).or_null(), number(10)],
        Outcome::Model(None),
    ),
    Row::model(&["strtod"], &[PART, Argument::writes(object("char *")).or_null()], Outcome::Model(None)),
    Row::lowered(
        &["posix_memalign"],
        &[Argument::writes(object("void *")), number(16), number(4)],
        Outcome::ErrorNumber(&[]),
    )
    .demanding(&[Demand::between(1, 8, 1 << 30, &[22])]),
    Row::model(
        &["bsearch"],
        &[
            Argument::reads(object("int")),
            Argument::reads(Extent::Product(2, 3)),
            number(1),
            number(4),
            Argument::Other("compare"),
        ],
        Outcome::Model(None),
    ),
    Row::model(
        &["qsort"],
        &[Argument::updates(Extent::Product(1, 2)), number(2), number(4), Argument::Other("compare")],
        Outcome::Void,
    ),
    Row::new(&["get_nprocs"], &[], between(1, 8192)),
    Row::new(&["get_nprocs_conf"], &[], between(1, 8192)),
];
