//! One question with its known answer: a program and a property.

use std::path::PathBuf;

use program::DataModel;

#[derive(Clone, PartialEq, Debug)]
pub struct BenchTask {
    /// The group it is counted with.
    pub set: String,
    /// How it is called in tables: the program's path as the list gives it.
    pub name: String,
    /// Absolute, so that a command can run anywhere.
    pub files: Vec<PathBuf>,
    /// As the competition names it.
    pub property: String,
    /// Whether the property holds, if that is known.
    pub expected: Option<bool>,
    pub data_model: DataModel,
}

/// Which tasks of a list to take.
#[derive(Clone, Debug, Default)]
pub struct TaskSelection {
    /// Only these properties; all if empty.
    pub properties: Vec<String>,
    /// Only tasks whose name matches.
    pub pattern: Option<regex_lite::Regex>,
    /// Every n-th of what remains; 0 and 1 take all.
    pub stride: usize,
    pub limit: Option<usize>,
}

impl TaskSelection {
    pub fn of(&self, tasks: Vec<BenchTask>) -> Vec<BenchTask> {
        let wanted = |task: &BenchTask| {
            (self.properties.is_empty() || self.properties.contains(&task.property))
                && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(&task.name))
        };
        let chosen = tasks.into_iter().filter(wanted).step_by(self.stride.max(1));
        chosen.take(self.limit.unwrap_or(usize::MAX)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_filters_first_and_strides_then() {
        let task = |name: &str, property: &str| BenchTask {
            set: String::new(),
            name: name.to_owned(),
            files: Vec::new(),
            property: property.to_owned(),
            expected: None,
            data_model: DataModel::Lp64,
        };
        let all: Vec<BenchTask> = (0..10).map(|n| task(&format!("t{n}.c"), if n < 8 { "a" } else { "b" })).collect();
        let names = |selection: TaskSelection| -> String {
            selection.of(all.clone()).iter().map(|task| task.name[1..2].to_owned()).collect()
        };
        assert_eq!(names(TaskSelection::default()), "0123456789");
        assert_eq!(names(TaskSelection { properties: vec!["b".to_owned()], ..TaskSelection::default() }), "89");
        let pattern = regex_lite::Regex::new("[2-9]").ok();
        let selection = TaskSelection { properties: vec!["a".to_owned()], pattern, stride: 2, limit: Some(2) };
        assert_eq!(names(selection), "24");
    }
}
