//! Every file that the pages for contributors name exists.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let recipes = std::fs::read_dir(root().join("docs/contributing")).expect("a folder of recipes");
    let recipes = recipes.map(|entry| entry.expect("a recipe").path());
    let mut pages: Vec<PathBuf> = recipes.collect();
    pages.extend(["ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| root().join(page)));
    pages.sort();
    pages
}

/// Paths in backquotes that begin at the root, and targets of links, which begin at the page.
fn named(text: &str) -> (Vec<&str>, Vec<&str>) {
    let folders = ["crates/", "docs/", "tests/", "examples/", "bench/", "contrib/"];
    let from_root = |word: &&str| folders.iter().any(|folder| word.starts_with(folder)) && !word.contains(['*', ' ']);
    let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(from_root).collect();
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let links = links.filter(|link| !link.is_empty() && !link.contains("://")).collect();
    (quoted, links)
}

#[test]
fn every_named_file_exists() {
    let mut missing = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let folder = page.parent().expect("a folder").to_owned();
        let (quoted, links) = named(&text);
        let all = quoted.iter().map(|path| root().join(path)).chain(links.iter().map(|path| folder.join(path)));
        missing.extend(all.filter(|path| !path.exists()).map(|path| format!("{}: {}", page.display(), path.display())));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// ARCHITECTURE.md has a section for each crate.
#[test]
fn every_crate_has_a_section() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a page");
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("### ")).collect();
    for entry in std::fs::read_dir(root().join("crates")).expect("a folder of crates") {
        let name = entry.expect("a crate").file_name().into_string().expect("a name");
        let quoted = format!("`{name}`");
        assert!(headings.iter().any(|heading| heading.contains(&quoted)), "ARCHITECTURE.md does not describe {name}");
    }
}
