//! The names of files where there may be several and the user has named one.

use std::path::{Path, PathBuf};

/// `query.cnf`, `query-2.cnf`, `query-3.cnf` and so on.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_files_are_numbered() {
        let name = |path: &str, number| numbered(Path::new(path), number).display().to_string();
        assert_eq!(name("a/q.cnf", 1), "a/q.cnf");
        assert_eq!(name("a/q.cnf", 2), "a/q-2.cnf");
        assert_eq!(name("q", 10), "q-10");
    }
}
