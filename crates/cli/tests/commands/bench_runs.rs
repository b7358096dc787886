//! `gordian bench` among tasks that misbehave, stopped and resumed; `gordian compare` on what it wrote.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::Folder;

/// Tasks whose "verifier" is a shell script beside them: the file's contents are the script.
fn scripts(folder: &Folder, scripts: &[(&str, &str)]) {
    let mut list = "path\tproperty\texpected\n".to_owned();
    for (name, script) in scripts {
        folder.write(name, script);
        list += &format!("{name}\tunreach-call\ttrue\n");
    }
    folder.write("list.tsv", list);
}

#[test]
fn crashes_hangs_and_gluttons_are_survived() {
    let folder = Folder::new();
    scripts(
        &folder,
        &[
            ("good", "echo TRUE"),
            ("crash", "kill -SEGV $$"),
            ("hang", "sleep 100"),
            ("glutton", "x=a; while :; do x=$x$x; done"),
            ("last", "echo TRUE"),
        ],
    );
    let limits = ["--wall", "1s", "--memory", "60MB", "--command", "sh {file}", "--csv", "r.csv", "--json", "r.json"];
    folder.gordian(&[&["bench", "list.tsv"], &limits[..]].concat()).exits(0);
    let csv = fs::read_to_string(folder.path().join("r.csv")).expect("results");
    let status = |task: &str| {
        let line = csv.lines().find(|line| line.contains(&format!(",{task},"))).expect("a line");
        line.split(',').nth(5).expect("a status").to_owned()
    };
    assert_eq!([status("good"), status("last")], ["correct", "correct"]);
    assert_eq!([status("crash"), status("hang"), status("glutton")], ["error", "timeout", "memory"]);
    folder.gordian(&["compare", "r.csv", "r.json"]).exits(0).says("5 tasks in both files").says("2 solved, score 4");
}

#[test]
fn a_run_that_was_killed_does_only_the_rest() {
    let folder = Folder::new();
    let count = "echo x >> \"$0\".count; sleep 0.2; echo TRUE";
    let names: Vec<String> = (0..12).map(|number| format!("t{number:02}")).collect();
    scripts(&folder, &names.iter().map(|name| (&name[..], count)).collect::<Vec<_>>());
    let arguments = ["bench", "list.tsv", "--command", "sh {file}", "--csv", "r.csv", "--resume"];
    let lines = || fs::read_to_string(folder.path().join("r.csv")).map_or(0, |text| text.lines().count());
    let mut first = folder.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run");
    let started = Instant::now();
    while lines() < 5 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().expect("it should be running");
    first.wait().expect("it has ended");
    let done = lines() - 1;
    assert!((4..12).contains(&done), "{done} tasks were done");
    folder.gordian(&arguments).exits(0).remarks(&format!("{done} of 12 tasks were done before")).says("12");
    let runs: usize = names
        .iter()
        .map(|name| {
            fs::read_to_string(folder.path().join(format!("{name}.count"))).map_or(0, |text| text.lines().count())
        })
        .sum();
    assert!((12..=13).contains(&runs), "only what was being done when it was killed is done twice: {runs} runs");
    assert_eq!(lines(), 13);
}

#[test]
fn a_peer_runs_beside_and_drawings_are_drawn() {
    let folder = Folder::new();
    scripts(&folder, &[("easy", "echo TRUE"), ("hard", "echo UNKNOWN")]);
    let arguments = ["bench", "list.tsv", "--command", "sh {file}", "--peer", "echo TRUE # {file}", "--csv", "r.csv"];
    folder.gordian(&arguments).exits(0).says("lost by gordian: 1").says("hard unreach-call: correct -> unknown");
    let drawings = ["--html", "c.html", "--quantiles", "q.svg", "--scatter", "s.svg"];
    folder.gordian(&[&["compare", "r.csv", "r.csv.peer"], &drawings[..]].concat()).exits(0);
    for name in ["c.html", "q.svg", "s.svg"] {
        let text = fs::read_to_string(folder.path().join(name)).expect("a drawing");
        assert!(text.contains("<svg") && text.contains("CPU seconds"), "{text}");
    }
    folder.gordian(&["compare", "r.csv.peer", "r.csv"]).exits(1).says("lost by r.csv: 1");
    folder.gordian(&["compare", "r.csv", "list.tsv"]).exits(2);
}
