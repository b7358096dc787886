//! Every command that the documentation shows is executed. A block marked `console` has lines that begin with `$ `, which
//! are commands for the shell, and below each what it prints: every line must be there, in this order; a line `...` stands
//! for anything. `exit=N` after `console` is the exit code of every command in the block, otherwise 0. The blocks of one
//! page are executed one after the other in one folder, which begins with a copy of `examples`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("docs/soundness.md")];
    for folder in ["docs/guide", "docs/engines"] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of the documentation");
        pages.extend(entries.map(|entry| entry.expect("a page").path()));
    }
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
    exit: i32,
}

fn commands(text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut exit = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(mark) = line.strip_prefix("```") {
            let code = mark.split("exit=").nth(1).map_or(0, |code| code.trim().parse().expect("an exit code"));
            exit = mark.starts_with("console").then_some(code);
        } else if let Some(exit) = exit {
            match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => {
                    found.push(Shown { line: number + 1, command: command.to_owned(), output: Vec::new(), exit });
                }
                (None, Some(shown)) => shown.output.push(line.to_owned()),
                (None, None) => panic!("line {}: output without a command", number + 1),
            }
        }
    }
    found
}

fn without_times(line: &str) -> String {
    match line.strip_prefix("Done in ").and_then(|rest| rest.split_once(" s.")) {
        Some((_, rest)) => format!("Done.{}", rest.trim_end()),
        None => line.trim_end().to_owned(),
    }
}

fn execute(shown: &Shown, folder: &Folder, tools: &Path) -> Result<(), String> {
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &shown.command]).current_dir(folder.path()).env("PATH", path).env("LC_ALL", "C");
    let output = command.env_remove("NO_COLOR").output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(shown.exit) {
        return Err(format!("exit code {:?} instead of {}\n{text}", output.status.code(), shown.exit));
    }
    let mut printed = text.lines().map(without_times);
    for line in shown.output.iter().filter(|line| !line.is_empty() && line.trim() != "...") {
        let wanted = without_times(line);
        if !printed.any(|line| line == wanted) {
            return Err(format!("`{line}` is not printed, or not in this order\n{text}"));
        }
    }
    Ok(())
}

#[test]
fn every_command_shown_works_as_printed() {
    let tools = Folder::new();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_gordian"), tools.path().join("gordian")).expect("a link");
    let (mut count, mut problems) = (0, Vec::new());
    for page in pages() {
        let folder = Folder::new();
        fs::create_dir(folder.path().join("examples")).expect("a folder");
        for example in fs::read_dir(root().join("examples")).expect("examples") {
            let example = example.expect("an example");
            fs::copy(example.path(), folder.path().join("examples").join(example.file_name())).expect("a copy");
        }
        let text = fs::read_to_string(&page).expect("a page");
        for shown in commands(&text) {
            // Building is what the test itself needs before it can run.
            if shown.command.starts_with("cargo ") || shown.command.starts_with("git ") {
                continue;
            }
            count += 1;
            if let Err(problem) = execute(&shown, &folder, tools.path()) {
                let place = format!("{}:{}", page.strip_prefix(root()).unwrap_or(&page).display(), shown.line);
                problems.push(format!("{place}: $ {}\n{problem}", shown.command));
            }
        }
    }
    assert!(problems.is_empty(), "{} of {count} commands:\n{}", problems.len(), problems.join("\n\n"));
    assert!(count > 20, "only {count} commands were found");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.starts_with('#')) {
            let path = page.parent().expect("a folder").join(target.split('#').next().unwrap_or_default());
            if !path.exists() {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}
