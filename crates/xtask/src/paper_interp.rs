//! `cargo xtask paper interp`: the tables of Su, Tian and Duan (ESEC/FSE 2021) with our figures, over a folder of task definitions.
//! Each cell is a process of its own with a limit of processor time.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use engines::InterpolantMode;
use program::Property;

use crate::figures::mean;
use crate::measure::{self, Ending, MeasuredTask, Measurement, TreeArguments, measure};

#[derive(Args)]
pub struct Arguments {
    /// The folder of the task definitions; without it only Table 5 is measured.
    #[arg(long)]
    tasks: Option<PathBuf>,
    /// Only every n-th task.
    #[arg(long, default_value_t = 1)]
    stride: usize,
    /// Seconds of processor time per task and mode.
    #[arg(long, default_value_t = 10)]
    limit: u64,
    /// Folders of sequential programs, for Table 5; those that create threads are left out.
    #[arg(long, default_value = "tests/programs")]
    sequential: PathBuf,
    /// Only every n-th sequential program.
    #[arg(long, default_value_t = 1)]
    sequential_stride: usize,
    /// Where the tables go besides the terminal.
    #[arg(long, default_value = "bench/paper-interp.md")]
    output: PathBuf,
}

/// Which package a task belongs to, by its file name: the first line that fits. `#` is a digit, and `*` may stand at either end.
const PACKAGES: [(&str, &str); 62] = [
    ("linux-3.14*", "ldv-linux-3.14-races"),
    ("race-*", "ldv-races"),
    ("char_*", "pthread-driver-races"),
    ("*.wvr", "weaver"),
    ("##-*", "goblint-regression"),
    ("##_*", "pthread-ext"),
    ("mix*", "pthread-wmm"),
    ("podwr*", "pthread-wmm"),
    ("rfi*", "pthread-wmm"),
    ("safe0*", "pthread-wmm"),
    ("thin*", "pthread-wmm"),
    ("dekker*", "pthread-atomic"),
    ("gcd*", "pthread-atomic"),
    ("lamport*", "pthread-atomic"),
    ("peterson*", "pthread-atomic"),
    ("qrcu*", "pthread-atomic"),
    ("read_write_lock*", "pthread-atomic"),
    ("scull*", "pthread-atomic"),
    ("szymanski*", "pthread-atomic"),
    ("time_var_mutex*", "pthread-atomic"),
    ("pthread-*", "pthread-C-DAC"),
    ("elimination_backoff*", "pthread-complex"),
    ("safestack*", "pthread-complex"),
    ("workstealqueue*", "pthread-complex"),
    ("bounded_buffer*", "pthread-complex"),
    ("condvar*", "pthread-divine"),
    ("divinefifo*", "pthread-divine"),
    ("one_time_barrier*", "pthread-divine"),
    ("ring_*", "pthread-divine"),
    ("tls_*", "pthread-divine"),
    ("barrier_*", "pthread-divine"),
    ("fk20*", "pthread-lit"),
    ("fkp20*", "pthread-lit"),
    ("qw20*", "pthread-lit"),
    ("sssc*", "pthread-lit"),
    ("nondet-*", "pthread-nondet"),
    ("airline*", "pthread-deagle"),
    ("arithmetic_prog*", "pthread"),
    ("bigshot*", "pthread"),
    ("circular_buffer*", "pthread"),
    ("fib_*", "pthread"),
    ("indexer*", "pthread"),
    ("lazy*", "pthread"),
    ("queue*", "pthread"),
    ("reorder_c11*", "pthread-deagle"),
    ("reorder*", "pthread"),
    ("sigma*", "pthread"),
    ("singleton*", "pthread"),
    ("stack*", "pthread"),
    ("stateful*", "pthread"),
    ("sync*", "pthread"),
    ("triangular*", "pthread"),
    ("twostage*", "pthread"),
    ("exponential*", "pthread-deagle"),
    ("floating_read*", "pthread-deagle"),
    ("per-thread-*", "pthread-race-challenges"),
    ("thread-*", "pthread-race-challenges"),
    ("unwind*", "pthread-deagle"),
    ("*lock", "libvsync"),
    ("bounded_spsc*", "libvsync"),
    ("bounded_mpmc*", "libvsync"),
    ("*", "other"),
];

fn package(name: &str) -> &'static str {
    PACKAGES.iter().find(|(pattern, _)| fits(pattern, name)).map_or("other", |(_, package)| package)
}

fn fits(pattern: &str, name: &str) -> bool {
    if let Some(end) = pattern.strip_prefix('*') {
        return name.ends_with(end);
    }
    let (start, is_open) = pattern.strip_suffix('*').map_or((pattern, false), |start| (start, true));
    let same = |(wanted, found): (char, char)| wanted == found || (wanted == '#' && found.is_ascii_digit());
    let length = start.chars().count();
    (if is_open { name.chars().count() >= length } else { name.chars().count() == length })
        && start.chars().zip(name.chars()).all(same)
}

/// The columns: R, R+C*, R+C, and R+C to the letter.
const MODES: [(&str, InterpolantMode); 4] = [
    ("R", InterpolantMode::Reachability),
    ("R+C*", InterpolantMode::ConditionalFullPath),
    ("R+C", InterpolantMode::Conditional),
    ("to the letter", InterpolantMode::ToTheLetter),
];
/// Those whose "safe" is a proof.
const SOUND: usize = 3;

struct Row {
    package: String,
    violated: Option<bool>,
    by: Vec<Measurement>,
}

impl Row {
    fn all_answer(&self) -> bool {
        self.by[..SOUND].iter().all(Measurement::is_solved)
    }

    fn is_correct(&self, mode: usize) -> bool {
        self.by[mode].is_solved() && !self.is_wrong(mode)
    }

    fn is_wrong(&self, mode: usize) -> bool {
        let found = self.by[mode].is_solved().then_some(self.by[mode].ending == Ending::Violated);
        found.is_some() && self.violated.is_some() && found != self.violated
    }

    /// What the mode to the letter calls safe, and whether it is not.
    fn letter(&self) -> (bool, bool) {
        let is_safe = self.by.get(SOUND).is_some_and(|one| one.get("interp: safe to the letter") > 0.0);
        (is_safe, is_safe && self.violated == Some(true))
    }
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mut text = head(arguments);
    if let Some(folder) = &arguments.tasks {
        let tasks = measure::tasks(folder, folder, Property::UnreachCall)?;
        let mut rows = Vec::new();
        for task in tasks.iter().step_by(arguments.stride.max(1)) {
            let name = task.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let row = row(task, package(&name).to_owned(), Property::UnreachCall, &MODES, arguments.limit)?;
            eprintln!("{:<24} {name} {}", row.package, summary(&row));
            rows.push(row);
        }
        push_concurrent(&mut text, &rows);
    }
    let mut rows = Vec::new();
    for task in sequential(&arguments.sequential)?.iter().step_by(arguments.sequential_stride.max(1)) {
        let folder = task.file.parent().and_then(|folder| folder.strip_prefix(&arguments.sequential).ok());
        let package = folder.unwrap_or(Path::new("")).components().next();
        let package = package.map_or_else(String::new, |one| one.as_os_str().to_string_lossy().into_owned());
        let row = row(task, package, Property::Assert, &MODES[..SOUND], arguments.limit)?;
        eprintln!("{:<24} {} {}", row.package, task.file.display(), summary(&row));
        rows.push(Row { violated: None, ..row });
    }
    push_sequential(&mut text, &rows);
    print!("{text}");
    std::fs::write(&arguments.output, text).map_err(|error| format!("{}: {error}", arguments.output.display()))
}

fn head(arguments: &Arguments) -> String {
    let build = if cfg!(debug_assertions) { "a development build" } else { "a release build" };
    format!(
        "# The tables of the paper on conditional interpolation, measured\n\n\
         Written by `cargo xtask paper interp`, {build}, {} s of processor time per task and mode, every {}. task, every {}.\n\
         sequential program. R: `--interpolants r`; R+C*: `rc-full-path`; R+C: `rc`; *to the letter*: Algorithm 1 as it is\n\
         printed, whose \"safe\" is no proof and not counted as correct. InterpChecker is not reproduced. The paper had 15 minutes per\n\
         task and counts states of its own program.\n",
        arguments.limit, arguments.stride, arguments.sequential_stride
    )
}

fn row(
    task: &MeasuredTask,
    package: String,
    property: Property,
    modes: &[(&str, InterpolantMode)],
    limit: u64,
) -> Result<Row, String> {
    let by = |&(_, mode): &(&str, InterpolantMode)| {
        measure(&measure::Arguments {
            file: task.file.clone(),
            engine: "interp".to_owned(),
            unwind: None,
            property,
            ilp32: task.ilp32,
            core: false,
            limit,
            tree: TreeArguments { interpolants: Some(mode), ..TreeArguments::default() },
        })
        .map_err(|error| format!("{}: {error}", task.file.display()))
    };
    let by = modes.iter().map(by).collect::<Result<_, _>>()?;
    Ok(Row { package, violated: Some(task.violated), by })
}

fn summary(row: &Row) -> String {
    let one = |one: &Measurement| format!("{:?} {:.2}", one.ending, one.seconds);
    row.by.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn by_package(rows: &[Row]) -> BTreeMap<&str, Vec<&Row>> {
    let mut packages: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        packages.entry(&row.package).or_default().push(row);
    }
    packages
}

fn push_concurrent(text: &mut String, rows: &[Row]) {
    let packages = by_package(rows);
    text.push_str("\n## Tables 1 and 2: tasks, and answers as correct/incorrect/unknown\n\n");
    text.push_str(
        "| package | tasks | R | R+C* | R+C | to the letter: safe | of these wrong |\n|---|---|---|---|---|---|---|\n",
    );
    let all: Vec<&Row> = rows.iter().collect();
    for (name, rows) in packages.iter().map(|(name, rows)| (*name, rows)).chain([("all", &all)]) {
        let count = |wanted: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
        let cell = |mode: usize| {
            let (right, wrong) = (count(&|row| row.is_correct(mode)), count(&|row| row.is_wrong(mode)));
            format!("{right}/{wrong}/{}", rows.len() - right - wrong)
        };
        let (safe, wrong) = (count(&|row| row.letter().0), count(&|row| row.letter().1));
        let cells: Vec<String> = (0..SOUND).map(cell).collect();
        let _ = writeln!(text, "| {name} | {} | {} | {safe} | {wrong} |", rows.len(), cells.join(" | "));
    }
    push_comparison(text, "Table 3: means over the tasks that R, R+C* and R+C answer", rows);
    push_chains(text, rows);
    push_quantiles(text, rows);
}

/// States, refinements and times where all modes answer.
fn push_comparison(text: &mut String, title: &str, rows: &[Row]) {
    let _ = writeln!(text, "\n## {title}\n");
    text.push_str("| package | tasks |");
    for (name, _) in &MODES[..SOUND] {
        let _ = write!(text, " {name}: #State | #Refine | #Time | #Pred |");
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(4 * SOUND));
    text.push('\n');
    let all: Vec<&Row> = rows.iter().collect();
    for (name, rows) in by_package(rows).iter().map(|(name, rows)| (*name, rows)).chain([("all", &all)]) {
        let rows: Vec<&&Row> = rows.iter().filter(|row| row.all_answer()).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "| {name} | {} |", rows.len());
        for mode in 0..SOUND {
            let of = |value: &dyn Fn(&Measurement) -> f64| {
                mean(&rows.iter().map(|row| value(&row.by[mode])).collect::<Vec<_>>())
            };
            let (states, refinements) = (of(&|one| one.get("interp: #State")), of(&|one| one.get("interp: #Refine")));
            let (seconds, predicates) = (of(&|one| one.seconds), of(&|one| one.get("interp: #Pred")));
            let _ = write!(text, " {states:.1} | {refinements:.2} | {seconds:.2} | {predicates:.1} |");
        }
        text.push('\n');
    }
    let sum = |mode: usize, name: &str| -> f64 {
        rows.iter().filter(|row| row.all_answer()).map(|row| row.by[mode].get(name)).sum()
    };
    let percent = |mode: usize, name: &str| 100.0 * sum(mode, name) / sum(0, name).max(1.0);
    let _ = writeln!(
        text,
        "\nIn sum R+C has {:.1} % of the states of R and {:.1} % of its refinements, R+C* {:.1} % and {:.1} %.",
        percent(2, "interp: #State"),
        percent(2, "interp: #Refine"),
        percent(1, "interp: #State"),
        percent(1, "interp: #Refine")
    );
}

const CHAINS: &str = "interp: formula chains";
const FORMULAS: &str = "interp: #Len, all chains together";
const TIME: &str = "interp: C-Intp time";

fn push_chains(text: &mut String, rows: &[Row]) {
    text.push_str("\n## Table 4: time of conditional interpolation in seconds, and mean length of a chain\n\n");
    text.push_str("| package | tasks | R+C*: #Time | #Len | R+C: #Time | #Len |\n|---|---|---|---|---|---|\n");
    let all: Vec<&Row> = rows.iter().collect();
    for (name, rows) in by_package(rows).iter().map(|(name, rows)| (*name, rows)).chain([("all", &all)]) {
        let rows: Vec<&&Row> = rows.iter().filter(|row| row.all_answer()).collect();
        if rows.is_empty() {
            continue;
        }
        let cell = |mode: usize| {
            let sum = |name: &str| rows.iter().map(|row| row.by[mode].get(name)).sum::<f64>();
            let seconds = sum(TIME) / rows.len().max(1) as f64;
            format!("{seconds:.3} | {:.2}", sum(FORMULAS) / sum(CHAINS).max(1.0))
        };
        let _ = writeln!(text, "| {name} | {} | {} | {} |", rows.len(), cell(1), cell(2));
    }
}

/// The n-th fastest and n-th smallest answer, at tenths of the tasks.
fn push_quantiles(text: &mut String, rows: &[Row]) {
    const AT: [usize; 6] = [10, 25, 50, 75, 90, 100];
    text.push_str("\n## Figure 5: quantiles of the correct answers of each mode, seconds and MB\n\n| mode | answers |");
    for at in AT {
        let _ = write!(text, " {at} % |");
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---|".repeat(AT.len()));
    text.push('\n');
    for (mode, (name, _)) in MODES[..SOUND].iter().enumerate() {
        let answers: Vec<&Measurement> =
            rows.iter().filter(|row| row.is_correct(mode)).map(|row| &row.by[mode]).collect();
        let sorted = |value: &dyn Fn(&Measurement) -> f64| {
            let mut values: Vec<f64> = answers.iter().map(|one| value(one)).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let (seconds, memory) = (sorted(&|one| one.seconds), sorted(&|one| one.memory / 1e6));
        let _ = write!(text, "| {name} | {} |", answers.len());
        for at in AT {
            let index = (answers.len() * at).div_ceil(100).saturating_sub(1);
            match (seconds.get(index), memory.get(index)) {
                (Some(seconds), Some(memory)) => _ = write!(text, " {seconds:.2} s, {memory:.0} MB |"),
                _ => text.push_str(" – |"),
            }
        }
        text.push('\n');
    }
}

fn push_sequential(text: &mut String, rows: &[Row]) {
    let count = |mode: usize| rows.iter().filter(|row| row.by[mode].is_solved()).count();
    push_comparison(text, "Table 5: our own sequential programs, means over those that R, R+C* and R+C answer", rows);
    let _ = writeln!(
        text,
        "\nAnswered, of {} sequential programs: R {}, R+C* {}, R+C {}.",
        rows.len(),
        count(0),
        count(1),
        count(2)
    );
}

/// The programs below a folder that have assertions and no threads.
fn sequential(folder: &Path) -> Result<Vec<MeasuredTask>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                let text = String::from_utf8_lossy(&std::fs::read(&path).map_err(failed)?).into_owned();
                let has_threads = ["pthread_create", "thrd_create"].iter().any(|name| text.contains(name));
                if text.contains("assert(") && !has_threads {
                    found.push(MeasuredTask { file: path, violated: false, ilp32: false });
                }
            }
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn names_tell_packages() {
        let expected = [
            ("mix000.oepc", "pthread-wmm"),
            ("28-race_reach_75-tricky_address2_racefree", "goblint-regression"),
            ("03_incdec", "pthread-ext"),
            ("popl20-figure1.wvr", "weaver"),
            ("pthread-demo-datarace-2", "pthread-C-DAC"),
            ("reorder_c11_bad-50", "pthread-deagle"),
            ("reorder_2", "pthread"),
            ("mcslock", "libvsync"),
            ("butterfly", "other"),
        ];
        for (name, wanted) in expected {
            assert_eq!(package(name), wanted, "{name}");
        }
    }
}
