//! `cargo xtask paper esbmc`: both tables of Cordeiro and Fischer (ICSE 2011) with our columns beside theirs, on our own
//! versions of their programs (`bench/programs`). Each cell is a process of its own with a limit of processor time. Rows
//! of programs that we have no version of are not measured.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use program::Property;

use crate::measure::{self, Ending, Measurement, TreeArguments, measure};

#[derive(Args)]
pub struct Arguments {
    /// Seconds of processor time per cell.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Only rows whose program begins so.
    #[arg(long, default_value = "")]
    only: String,
    /// Where the table goes besides the terminal.
    #[arg(long, default_value = "bench/paper-esbmc.md")]
    output: PathBuf,
}

/// A row of the paper and how we measure it.
struct Row {
    name: &'static str,
    /// File and definitions; `None` if there is no own version.
    program: Option<(&'static str, &'static [&'static str])>,
    bound: Option<u32>,
    /// The paper's columns: seconds and #FI/#I of lazy, seconds of schedule recording, seconds and iterations of UW.
    lazy: &'static str,
    leaves: &'static str,
    record: &'static str,
    uw: &'static str,
}

const fn row(
    name: &'static str,
    program: Option<(&'static str, &'static [&'static str])>,
    bound: Option<u32>,
    [lazy, leaves, record, uw]: [&'static str; 4],
) -> Row {
    Row { name, program, bound, lazy, leaves, record, uw }
}

const TABLE_1: [Row; 18] = [
    row("reorder_3_bad (2,1)", Some(("reorder.c", &["SETTERS=2"])), Some(4), ["<1", "1/29", "<1", "<1 (4)"]),
    row("reorder_4_bad (3,1)", Some(("reorder.c", &["SETTERS=3"])), Some(5), ["<1", "1/82", "1", "4 (5)"]),
    row("reorder_5_bad (4,1)", Some(("reorder.c", &["SETTERS=4"])), Some(6), ["<1", "1/277", "4", "18 (6)"]),
    row("reorder_6_bad (5,1)", Some(("reorder.c", &["SETTERS=5"])), Some(7), ["<1", "1/853", "36", "72 (7)"]),
    row("reorder_6_bad (5,1)", Some(("reorder.c", &["SETTERS=5"])), Some(8), ["<1", "1/2810", "225", "592 (7)"]),
    row("reorder_6_bad (5,1)", Some(("reorder.c", &["SETTERS=5"])), Some(9), ["<1", "1/8124", "MO", "MO (1)"]),
    row("twostage_3_bad (2,1)", Some(("twostage.c", &["SETTERS=2"])), Some(4), ["1", "1/35", "1", "3 (5)"]),
    row("twostage_4_bad (3,1)", Some(("twostage.c", &["SETTERS=3"])), Some(4), ["2", "1/42", "1", "4 (5)"]),
    row("twostage_5_bad (4,1)", Some(("twostage.c", &["SETTERS=4"])), Some(4), ["2", "1/44", "1", "5 (5)"]),
    row("twostage_6_bad (5,1)", Some(("twostage.c", &["SETTERS=5"])), Some(4), ["2", "1/45", "2", "5 (5)"]),
    row("wronglock_4_bad (1,3)", Some(("wronglock.c", &["OTHERS=3"])), Some(8), ["5", "2/489", "10", "89 (9)"]),
    row("wronglock_5_bad (1,4)", Some(("wronglock.c", &["OTHERS=4"])), Some(8), ["10", "3/2869", "50", "408 (9)"]),
    row("wronglock_6_bad (1,5)", Some(("wronglock.c", &["OTHERS=5"])), Some(8), ["18", "4/12106", "225", "2060 (9)"]),
    row("wronglock_7_bad (1,6)", Some(("wronglock.c", &["OTHERS=6"])), Some(8), ["34", "5/39100", "MO", "MO (1)"]),
    row("micro_2_ok (100)", Some(("micro.c", &["THREADS=2"])), Some(2), ["<1", "0/4", "<1", "<1 (1)"]),
    row("micro_2_ok (100)", Some(("micro.c", &["THREADS=2"])), Some(17), ["1095", "0/131072", "MO", "MO (1)"]),
    row("micro_3_ok (100)", Some(("micro.c", &["THREADS=3"])), Some(2), ["<1", "0/9", "<1", "<1 (1)"]),
    row("micro_3_ok (100)", Some(("micro.c", &["THREADS=3"])), Some(12), ["1021", "0/121393", "MO", "MO (1)"]),
];

const TABLE_2: [Row; 21] = [
    row("circular_buffer_ok", Some(("circular_buffer.c", &[])), None, ["477", "0/12870", "MO", "MO (1)"]),
    row("circular_buffer_bad", Some(("circular_buffer.c", &["BROKEN"])), Some(5), ["<1", "3/32", "2", "11 (6)"]),
    row("queue_ok", Some(("queue.c", &[])), None, ["3", "0/6", "3", "3 (1)"]),
    row("queue_bad", Some(("queue.c", &["BROKEN"])), Some(8), ["3", "91/256", "50", "373 (7)"]),
    row("stack_ok", Some(("stack.c", &[])), Some(12), ["225", "0/4094", "1026", "1097 (1)"]),
    row("stack_bad", Some(("stack.c", &["BROKEN"])), Some(4), ["<1", "4/16", "2", "6 (4)"]),
    row("fsbench_ok", Some(("fsbench.c", &[])), Some(2), ["252", "0/676", "304", "301 (1)"]),
    row("fsbench_bad", Some(("fsbench.c", &["BROKEN", "THREADS=27"])), Some(2), ["<1", "729/729", "360", "786 (2)"]),
    row("indexer_ok", Some(("indexer.c", &[])), Some(4), ["595", "0/17160", "220", "218 (1)"]),
    row("stateful20_ok", Some(("stateful.c", &[])), Some(10), ["95", "0/1024", "487", "518 (1)"]),
    row("sync02_ok", Some(("sync.c", &[])), Some(21), ["44", "0/121", "60", "60 (1)"]),
    row("sync02_bad", Some(("sync.c", &["BROKEN"])), Some(21), ["8", "5/186", "132", "383 (3)"]),
    row("aget-0.4_bad", None, Some(2), ["137", "1/1", "127", "125 (1)"]),
    row("bzip2smp_ok", None, Some(9), ["1800", "0/1294", "MO", "MO (1)"]),
    row("reorder_10_bad (9,1)", Some(("reorder.c", &["SETTERS=9"])), Some(11), ["<1", "1/154574", "MO", "MO (1)"]),
    row("twostage_100_bad (99,1)", Some(("twostage.c", &["SETTERS=99"])), Some(4), ["88", "1/139", "93", "195 (5)"]),
    row("wronglock_8_bad (1,7)", Some(("wronglock.c", &["OTHERS=7"])), Some(8), ["90", "6/104015", "MO", "MO (1)"]),
    row("exStbHDMI_ok", None, Some(20), ["229", "0/1", "226", "213 (1)"]),
    row("exStbLED_ok", None, Some(10), ["73", "0/11", "73", "787 (1)"]),
    row("exStbThumbs_bad", None, Some(1), ["95", "3/3", "14", "12 (1)"]),
    row("micro_10_ok (100)", Some(("micro.c", &["THREADS=10"])), Some(17), ["254", "0/29260", "MO", "MO (1)"]),
];

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let build = if cfg!(debug_assertions) { "a development build" } else { "a release build" };
    let mut text = format!(
        "# The tables of the ESBMC paper, measured\n\n\
         Written by `cargo xtask paper esbmc`, {build}. Ours: statement granularity, C counted in scheduling decisions,\n\
         {} s per cell, seconds of processor time of the engine. All three engines approach C from below (2, 4, 8, ...) and\n\
         stop at the first violation, so #FI/#I and iterations are those of the last walk; the paper's are of the whole tree.\n\
         `order` knows neither contexts nor statements: it answers the harder question, in which `micro` is violated, and\n\
         for at most 64 threads. V violated, H holds, proved or up to a bound, ? unknown or out of time, ! not even an answer\n\
         of the process; n/a: no own version of the program. #P: the places at which the assertion can fail.\n",
        arguments.limit
    );
    for (title, rows) in [("Table 1", &TABLE_1[..]), ("Table 2", &TABLE_2[..])] {
        let _ = write!(
            text,
            "\n## {title}\n\n| program | #P | C | lazy: paper | #FI/#I | ours | #FI/#I | record: paper | ours | uw: paper | ours \
             | order |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n"
        );
        for row in rows.iter().filter(|row| row.name.starts_with(&arguments.only)) {
            let line = line(row, arguments)?;
            eprint!("{line}");
            text.push_str(&line);
        }
    }
    print!("{text}");
    std::fs::write(&arguments.output, text).map_err(|error| format!("{}: {error}", arguments.output.display()))
}

fn line(row: &Row, arguments: &Arguments) -> Result<String, String> {
    let bound = row.bound.map_or("∞".to_owned(), |bound| bound.to_string());
    let [properties, lazy, leaves, record, uw, order] = match row.program {
        None => ["n/a"; 6].map(str::to_owned),
        Some((file, defines)) => {
            let cell = |engine| cell(file, defines, row.bound, engine, arguments.limit);
            let (lazy, record, uw, order) = (cell("lazy")?, cell("record")?, cell("uw")?, cell("order")?);
            [
                lazy.get("properties").to_string(),
                shown(&lazy),
                format!("{}/{}", lazy.get("violating interleavings"), lazy.get("interleavings")),
                shown(&record),
                format!("{} ({})", shown(&uw), uw.get("iterations")),
                shown(&order),
            ]
        }
    };
    Ok(format!(
        "| {} | {properties} | {bound} | {} | {} | {lazy} | {leaves} | {} | {record} | {} | {uw} | {order} |\n",
        row.name, row.lazy, row.leaves, row.record, row.uw
    ))
}

fn cell(file: &str, defines: &[&str], bound: Option<u32>, engine: &str, limit: u64) -> Result<Measurement, String> {
    let tree = TreeArguments {
        defines: defines.iter().map(|define| (*define).to_owned()).collect(),
        statements: true,
        contexts: bound,
        ..TreeArguments::default()
    };
    measure(&measure::Arguments {
        file: Path::new("bench/programs").join(file),
        engine: engine.to_owned(),
        unwind: None,
        property: Property::Assert,
        ilp32: false,
        core: false,
        limit,
        tree,
    })
    .map_err(|error| error.to_string())
}

fn shown(measured: &Measurement) -> String {
    let verdict = match measured.ending {
        Ending::Violated => 'V',
        Ending::Bounded if measured.get(measure::STOPPED) > 0.0 => '?',
        Ending::Proved | Ending::Bounded => 'H',
        Ending::Open => '?',
        Ending::Failed => '!',
    };
    format!("{verdict} {:.2}", measured.seconds)
}
