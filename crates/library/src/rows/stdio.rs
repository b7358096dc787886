//! `<stdio.h>`. A stream is an object that every use reads and `fclose` ends.

use super::{STREAM, TEXT, between, number, object};
use crate::contract::{AccessExtent, Argument, CallOutcome, Demand, LibraryRow};
use crate::hidden::STREAMS;

const CHARACTER: CallOutcome = CallOutcome::Model(Some("r == 'x'"));
const DONE: CallOutcome = CallOutcome::Model(Some("r == 0"));

pub const STDIO: &[LibraryRow] = &[
    LibraryRow::model(&["fopen", "fopen64"], &[TEXT, Argument::Other("\"r\"")], CallOutcome::Model(Some("r != 0"))),
    LibraryRow::model(&["fdopen"], &[number(0), TEXT], CallOutcome::Model(Some("r != 0"))),
    LibraryRow::model(&["tmpfile"], &[], CallOutcome::Model(Some("r != 0"))),
    LibraryRow::model(&["fclose"], &[STREAM], DONE),
    LibraryRow::lowered(&["fflush"], &[STREAM.or_null()], DONE),
    LibraryRow::model(&["fgetc", "getc"], &[STREAM], CallOutcome::Model(Some("r >= 0"))),
    LibraryRow::model(&["getchar"], &[], CallOutcome::Model(Some("r >= 0"))),
    LibraryRow::model(&["getc_unlocked", "fgetc_unlocked"], &[STREAM], CallOutcome::Model(Some("r >= 0")))
        .writing(STREAMS),
    LibraryRow::model(&["getchar_unlocked"], &[], CallOutcome::Model(Some("r >= 0"))).writing(STREAMS),
    LibraryRow::model(&["ungetc"], &[number(120), STREAM], CallOutcome::Model(None)).using_errno(),
    LibraryRow::model(
        &["fgets"],
        &[Argument::writes(AccessExtent::Argument(1)), number(4), STREAM],
        CallOutcome::Model(Some("r != 0")),
    ),
    LibraryRow::model(
        &["fread"],
        &[Argument::writes(AccessExtent::Product(1, 2)), number(2), number(2), STREAM],
        CallOutcome::Model(Some("r == 2")),
    ),
    LibraryRow::model(
        &["fwrite"],
        &[Argument::reads(AccessExtent::Product(1, 2)), number(2), number(2), STREAM],
        CallOutcome::Model(Some("r == 2")),
    ),
    LibraryRow::model(&["feof", "ferror"], &[STREAM], CallOutcome::Model(None)),
    LibraryRow::model(&["clearerr"], &[STREAM], CallOutcome::Void),
    LibraryRow::model(&["fseek"], &[STREAM, number(0), number(0)], DONE),
    LibraryRow::model(&["fseeko"], &[STREAM, number(0), number(0)], DONE),
    LibraryRow::model(&["ftell", "ftello"], &[STREAM], CallOutcome::Model(Some("r >= 0"))),
    LibraryRow::model(&["rewind"], &[STREAM], CallOutcome::Void).using_errno(),
    LibraryRow::model(&["fileno"], &[STREAM], CallOutcome::Model(None)).using_errno(),
    LibraryRow::model(&["remove"], &[TEXT], DONE),
    LibraryRow::model(&["rename"], &[TEXT, TEXT], DONE),
    LibraryRow::model(&["perror"], &[TEXT.or_null()], CallOutcome::Void).using_errno(),
    LibraryRow::lowered(&["fputs"], &[TEXT, STREAM], CallOutcome::Model(Some("r >= 0"))),
    LibraryRow::lowered(&["fputc", "putc"], &[number(120), STREAM], CHARACTER),
    LibraryRow::lowered(&["fputc_unlocked", "putc_unlocked"], &[number(120), STREAM], CHARACTER).writing(STREAMS),
    LibraryRow::lowered(&["putchar"], &[number(120)], CHARACTER),
    LibraryRow::lowered(&["putchar_unlocked"], &[number(120)], CHARACTER).writing(STREAMS),
    LibraryRow::lowered(&["puts"], &[TEXT], CallOutcome::Model(Some("r >= 0"))),
    LibraryRow::lowered(&["printf"], &[Argument::Format("\"%d\", 1")], CallOutcome::Model(Some("r == 1"))),
    LibraryRow::lowered(&["fprintf"], &[STREAM, Argument::Format("\"%d\", 1")], CallOutcome::Model(Some("r == 1"))),
    LibraryRow::lowered(&["dprintf"], &[number(2), Argument::Format("\"%d\", 1")], CallOutcome::Model(Some("r == 1"))),
    LibraryRow::model(
        &["setvbuf"],
        &[STREAM, Argument::updates(AccessExtent::Argument(3)).or_null(), number(0), number(16)],
        CallOutcome::ErrorNumber(&[-1]),
    )
    .demanding(&[Demand::between(2, 0, 2, &[-1])])
    .using_errno(),
    LibraryRow::model(
        &["setbuf"],
        &[STREAM, Argument::updates(AccessExtent::Bytes(8192)).or_null()],
        CallOutcome::Void,
    ),
    LibraryRow::new(&["setlinebuf"], &[STREAM], CallOutcome::Void),
    LibraryRow::model(
        &["getline"],
        &[Argument::updates(object("char *")), Argument::updates(object("size_t")), STREAM],
        CallOutcome::Model(Some("r >= 0")),
    ),
    LibraryRow::model(
        &["getdelim"],
        &[Argument::updates(object("char *")), Argument::updates(object("size_t")), number(10), STREAM],
        CallOutcome::Model(Some("r >= 0")),
    ),
    LibraryRow::lowered(&["printk", "_printk"], &[Argument::Format("\"%d\", 1")], between(0, i32::MAX as i64)),
];
