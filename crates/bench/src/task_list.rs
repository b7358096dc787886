//! Where tasks come from: a folder of task definitions (searched in depth), one definition, a list of definitions, one
//! path per line, or a table with a header line, columns apart by tabs: `set path property expected data_model`, of which
//! `path` and `property` must be there. Lines that begin with `#` and empty ones are skipped.

use std::fs;
use std::path::{Path, PathBuf};

use program::DataModel;

use crate::task::BenchTask;
use crate::task_definition::{TaskDefinition, data_model};

/// All tasks of a source. Relative paths inside a list begin at `root`, or at the list's folder. Task definitions
/// contribute one task per property with an expected verdict.
pub fn read(source: &Path, root: Option<&Path>) -> Result<Vec<BenchTask>, String> {
    if source.is_dir() {
        let mut tasks = Vec::new();
        for path in definitions_below(source)? {
            tasks.extend(tasks_of_definition(&path, source)?);
        }
        return Ok(tasks);
    }
    let folder = root.or(source.parent()).unwrap_or(Path::new(""));
    if TaskDefinition::is_named(source) {
        return tasks_of_definition(source, folder);
    }
    let shown = source.display();
    let text = fs::read_to_string(source).map_err(|error| format!("the list `{shown}` cannot be read: {error}"))?;
    read_list(&text, folder).map_err(|error| format!("{shown}: {error}"))
}

fn read_list(text: &str, folder: &Path) -> Result<Vec<BenchTask>, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let mut tasks = Vec::new();
    let Some((_, first)) = lines.clone().next() else { return Ok(tasks) };
    if first.contains('\t') {
        lines.next();
        let columns = Columns::new(first)?;
        for (number, line) in lines {
            tasks.push(columns.task(line, folder).map_err(|error| format!("line {}: {error}", number + 1))?);
        }
    } else {
        for (number, line) in lines {
            let path = folder.join(line.trim());
            let more = tasks_of_definition(&path, folder);
            tasks.extend(more.map_err(|error| format!("line {}: {error}", number + 1))?);
        }
    }
    Ok(tasks)
}

/// Every definition below a folder, in alphabetical order.
fn definitions_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let unreadable = |error| format!("the folder `{}` cannot be read: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = entry.path();
            // Links are not followed into folders: they may lead back.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if TaskDefinition::is_named(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn tasks_of_definition(path: &Path, folder: &Path) -> Result<Vec<BenchTask>, String> {
    let definition = TaskDefinition::read(path)?;
    let name = path.strip_prefix(folder).unwrap_or(path);
    let set = name.parent().map(|set| set.display().to_string()).unwrap_or_default();
    let files: Vec<PathBuf> = definition.files.iter().map(|file| absolute(file)).collect();
    let with_verdict = definition.properties.into_iter().filter(|property| property.expected.is_some());
    let task = |property: crate::task_definition::ExpectedProperty| BenchTask {
        set: set.clone(),
        name: name.display().to_string(),
        files: files.clone(),
        property: property.name,
        expected: property.expected,
        data_model: definition.data_model.unwrap_or_default(),
    };
    Ok(with_verdict.map(task).collect())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Which column holds what.
struct Columns {
    set: Option<usize>,
    path: usize,
    property: usize,
    expected: Option<usize>,
    data_model: Option<usize>,
}

impl Columns {
    fn new(header: &str) -> Result<Self, String> {
        let names: Vec<&str> = header.split('\t').map(str::trim).collect();
        let find = |name: &str| names.iter().position(|other| *other == name);
        let need = |name: &str| find(name).ok_or_else(|| format!("the header has no column `{name}`"));
        Ok(Self {
            set: find("set"),
            path: need("path")?,
            property: need("property")?,
            expected: find("expected"),
            data_model: find("data_model"),
        })
    }

    fn task(&self, line: &str, folder: &Path) -> Result<BenchTask, String> {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let field = |column: Option<usize>| column.and_then(|column| fields.get(column)).copied().unwrap_or("");
        let name = field(Some(self.path));
        if name.is_empty() {
            return Err("there is no path".to_owned());
        }
        let expected = match field(self.expected) {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        Ok(BenchTask {
            set: field(self.set).to_owned(),
            name: name.to_owned(),
            files: vec![absolute(&folder.join(name))],
            property: field(Some(self.property)).to_owned(),
            expected,
            data_model: match field(self.data_model) {
                "" => DataModel::default(),
                name => data_model(name)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_need_a_header_with_path_and_property() {
        let text = "set\tpath\tproperty\texpected\tdata_model\tnotes\n\
                    s\ta.i\tunreach-call\tfalse\tILP32\t\n\n# no\ns\tb.i\tno-data-race\ttrue\tLP64\tx\n\
                    s\tc.i\tno-overflow\t?\n";
        let tasks = read_list(text, Path::new("/root")).expect("tasks");
        assert_eq!(tasks.len(), 3);
        assert_eq!(tasks[0].files, [Path::new("/root/a.i")]);
        assert_eq!((tasks[0].expected, tasks[1].expected, tasks[2].expected), (Some(false), Some(true), None));
        assert_eq!((tasks[0].data_model, tasks[1].data_model), (DataModel::Ilp32, DataModel::Lp64));
        assert!(read_list("set\tfile\nx\ty\n", Path::new("")).is_err());
        let error = read_list("path\tproperty\tdata_model\na\tb\tVAX\n", Path::new("")).expect_err("a model");
        assert!(error.starts_with("line 2: ") && error.contains("VAX"), "{error}");
    }

    #[test]
    fn folders_are_searched_in_depth_and_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        let property = |name: &str| format!("  - property_file: p/{name}.prp\n    expected_verdict: true\n");
        let two = property("unreach-call") + &property("no-data-race");
        write("b/two.yml", &format!("input_files: x.c\nproperties:\n{two}"));
        write("a.yml", &format!("input_files: [y.c]\nproperties:\n{}", property("no-overflow")));
        write("notes.txt", "nothing");
        let tasks = read(folder.path(), None).expect("tasks");
        let names: Vec<(&str, &str)> = tasks.iter().map(|task| (&task.name[..], &task.property[..])).collect();
        assert_eq!(names, [("a.yml", "no-overflow"), ("b/two.yml", "unreach-call"), ("b/two.yml", "no-data-race")]);
        assert_eq!(tasks[1].files, [folder.path().join("b/x.c")]);
        assert_eq!(tasks[1].set, "b");
        write("list", "# some\na.yml\n");
        assert_eq!(read(&folder.path().join("list"), None).expect("tasks").len(), 1);
        write("bad", "nowhere.yml\n");
        let error = read(&folder.path().join("bad"), None).expect_err("no such file");
        assert!(error.contains("line 1") && error.contains("nowhere.yml"), "{error}");
    }
}
