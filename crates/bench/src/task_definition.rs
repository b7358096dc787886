//! Task definitions of SV-COMP, format 2.0: which files form a program, for which data model, and what is expected of
//! which property.

use std::path::{Path, PathBuf};

use program::{DataModel, PropertySet};
use serde::Deserialize;

#[derive(Clone, PartialEq, Debug)]
pub struct TaskDefinition {
    /// Relative ones are completed by the folder of the definition.
    pub files: Vec<PathBuf>,
    pub data_model: Option<DataModel>,
    pub properties: Vec<ExpectedProperty>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedProperty {
    /// The base name of the property file: `unreach-call`, `coverage-branches`.
    pub name: String,
    pub expected: Option<bool>,
}

impl ExpectedProperty {
    /// What we call it, if we know it.
    pub fn set(&self) -> Option<PropertySet> {
        PropertySet::named(&self.name)
    }
}

impl TaskDefinition {
    /// Whether the name of a file says that it is a task definition.
    pub fn is_named(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
    }

    /// The error is a sentence with the file's name.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("the task definition `{shown}` cannot be read: {error}"))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, folder).map_err(|error| format!("`{shown}` is not a task definition: {error}"))
    }

    /// `folder` is where relative paths begin.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let document: Document = serde_saphyr::from_str(text).map_err(|error| first_line(&error.to_string()))?;
        let files = match document.input_files {
            OneOrMany::One(file) => vec![file],
            OneOrMany::Many(files) => files,
        };
        if files.is_empty() {
            return Err("`input_files` is empty".to_owned());
        }
        let data_model = document.options.data_model.as_deref().map(data_model).transpose()?;
        Ok(Self {
            files: files.iter().map(|file| folder.join(file)).collect(),
            data_model,
            properties: document.properties.into_iter().map(PropertyEntry::expected).collect(),
        })
    }
}

#[derive(Deserialize)]
struct Document {
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: String,
    #[serde(default)]
    expected_verdict: Option<bool>,
}

impl PropertyEntry {
    fn expected(self) -> ExpectedProperty {
        let name = Path::new(&self.property_file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        ExpectedProperty { name, expected: self.expected_verdict }
    }
}

#[derive(Deserialize, Default)]
struct TaskOptions {
    data_model: Option<String>,
}

/// The data model with this name, as the competition or we write it.
pub fn data_model(name: &str) -> Result<DataModel, String> {
    let models = [DataModel::Ilp32, DataModel::Lp64];
    let found = models.into_iter().find(|model| model.to_string().eq_ignore_ascii_case(name));
    found.ok_or_else(|| format!("there is no data model `{name}`: expected ILP32 or LP64"))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "\
format_version: '2.0'
# a comment
input_files: 'race.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-memtrack
  - property_file: ../properties/coverage-branches.prp
options:
  language: C
  data_model: ILP32
";

    #[test]
    fn a_definition_as_the_competition_writes_it() {
        let task = TaskDefinition::parse(TASK, Path::new("set")).expect("a task");
        assert_eq!(task.files, [Path::new("set/race.i")]);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        let of = |name: &str, expected| ExpectedProperty { name: name.to_owned(), expected };
        let names = [("unreach-call", Some(false)), ("valid-memsafety", Some(false)), ("coverage-branches", None)];
        assert_eq!(task.properties, names.map(|(name, expected)| of(name, expected)));
        assert!(task.properties[1].set().is_some() && task.properties[2].set().is_none());
    }

    #[test]
    fn several_files_and_nothing_else() {
        let task = TaskDefinition::parse("input_files: [a.c, \"b.c\"]\n", Path::new("")).expect("a task");
        assert_eq!((task.files.len(), task.data_model, task.properties.len()), (2, None, 0));
    }

    #[test]
    fn what_is_no_definition_gets_a_sentence() {
        let wrong = [
            "",
            "42",
            "input_files: []",
            "input_files: {a: b}",
            "properties: []",
            "input_files: a.c\noptions:\n  data_model: PDP11\n",
            "input_files: a.c\nproperties: 7\n",
            "input_files: a.c\nproperties:\n  - expected_verdict: true\n",
            "input_files: [a.c",
            "\t{",
        ];
        for text in wrong {
            let error = TaskDefinition::parse(text, Path::new("")).expect_err(text);
            assert!(!error.is_empty() && !error.contains('\n'), "{text}: {error}");
        }
    }
}
