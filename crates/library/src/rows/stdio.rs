//! `<stdio.h>`. A stream is an object that every use reads and `fclose` ends.

use super::{STREAM, TEXT, between, number, object};
use crate::contract::{Argument, Demand, Extent, Outcome, Row};

const CHARACTER: Outcome = Outcome::Model(Some("r == 'x'"));
const DONE: Outcome = Outcome::Model(Some("r == 0"));

/// Functions without the lock of the stream.
const UNLOCKED: &str = "__gordian_streams";

pub const STDIO: &[Row] = &[
    Row::model(&["fopen", "fopen64"], &[TEXT, Argument::Other("\"r\"")], Outcome::Model(Some("r != 0"))),
    Row::model(&["fdopen"], &[number(0), TEXT], Outcome::Model(Some("r != 0"))),
    Row::model(&["tmpfile"], &[], Outcome::Model(Some("r != 0"))),
    Row::model(&["fclose"], &[STREAM], DONE),
    Row::lowered(&["fflush"], &[STREAM.or_null()], DONE),
    Row::model(&["fgetc", "getc"], &[STREAM], Outcome::Model(Some("r >= 0"))),
    Row::model(&["getchar"], &[], Outcome::Model(Some("r >= 0"))),
    Row::model(&["getc_unlocked", "fgetc_unlocked"], &[STREAM], Outcome::Model(Some("r >= 0"))).writing(UNLOCKED),
    Row::model(&["getchar_unlocked"], &[], Outcome::Model(Some("r >= 0"))).writing(UNLOCKED),
    Row::model(&["ungetc"], &[number(120), STREAM], Outcome::Model(None)).using_errno(),
    Row::model(&["fgets"], &[Argument::writes(Extent::Argument(1)), number(4), STREAM], Outcome::Model(Some("r != 0"))),
    Row::model(
        &["fread"],
        &[Argument::writes(Extent::Product(1, 2)), number(2), number(2), STREAM],
        Outcome::Model(Some("r == 2")),
    ),
    Row::model(
        &["fwrite"],
        &[Argument::reads(Extent::Product(1, 2)), number(2), number(2), STREAM],
        Outcome::Model(Some("r == 2")),
    ),
    Row::model(&["feof", "ferror"], &[STREAM], Outcome::Model(None)),
    Row::model(&["clearerr"], &[STREAM], Outcome::Void),
    Row::model(&["fseek"], &[STREAM, number(0), number(0)], DONE),
    Row::model(&["fseeko"], &[STREAM, number(0), number(0)], DONE),
    Row::model(&["ftell", "ftello"], &[STREAM], Outcome::Model(Some("r >= 0"))),
    Row::model(&["rewind"], &[STREAM], Outcome::Void).using_errno(),
    Row::model(&["fileno"], &[STREAM], Outcome::Model(None)).using_errno(),
    Row::model(&["remove"], &[TEXT], DONE),
    Row::model(&["rename"], &[TEXT, TEXT], DONE),
    Row::model(&["perror"], &[TEXT.or_null()], Outcome::Void),
    Row::lowered(&["fputs"], &[TEXT, STREAM], Outcome::Model(Some("r >= 0"))),
    Row::lowered(&["fputc", "putc"], &[number(120), STREAM], CHARACTER),
    Row::lowered(&["fputc_unlocked", "putc_unlocked"], &[number(120), STREAM], CHARACTER).writing(UNLOCKED),
    Row::lowered(&["putchar"], &[number(120)], CHARACTER),
    Row::lowered(&["putchar_unlocked"], &[number(120)], CHARACTER).writing(UNLOCKED),
    Row::lowered(&["puts"], &[TEXT], Outcome::Model(Some("r >= 0"))),
    Row::lowered(&["printf"], &[Argument::Format("\"%d\", 1")], Outcome::Model(Some("r == 1"))),
    Row::lowered(&["fprintf"], &[STREAM, Argument::Format("\"%d\", 1")], Outcome::Model(Some("r == 1"))),
    Row::lowered(&["dprintf"], &[number(2), Argument::Format("\"%d\", 1")], Outcome::Model(Some("r == 1"))),
    Row::model(
        &["setvbuf"],
        &[STREAM, Argument::updates(Extent::Argument(3)).or_null(), number(0), number(16)],
        Outcome::ErrorNumber(&[-1]),
    )
    .demanding(&[Demand::between(2, 0, 2, &[-1])])
    .using_errno(),
    Row::model(&["setbuf"], &[STREAM, Argument::updates(Extent::Bytes(8192)).or_null()], Outcome::Void),
    Row::new(&["setlinebuf"], &[STREAM], Outcome::Void),
    Row::model(
        &["getline"],
        &[Argument::updates(object("char *")), Argument::updates(object("size_t")), STREAM],
        Outcome::Model(Some("r >= 0")),
    ),
    Row::model(
        &["getdelim"],
        &[Argument::updates(object("char *")), Argument::updates(object("size_t")), number(10), STREAM],
        Outcome::Model(Some("r >= 0")),
    ),
    Row::lowered(&["printk", "_printk"], &[Argument::Format("\"%d\", 1")], between(0, i32::MAX as i64)),
];
