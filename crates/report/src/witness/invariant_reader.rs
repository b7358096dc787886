//! Reads YAML correctness witnesses: the invariants of all entries of kind `invariant_set`.

use program::{DataModel, PropertySet};
use serde::Deserialize;

use super::properties_in;
use super::yaml_reader::{Metadata, data_model};

/// A correctness witness that was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadInvariants {
    pub invariants: Vec<ReadInvariant>,
    /// The properties that it says hold, where we know them.
    pub properties: Option<PropertySet>,
    pub data_model: Option<DataModel>,
    /// Hashes of the files that it is about.
    pub hashes: Vec<String>,
    /// What it says beside invariants that we understand, in words.
    pub not_understood: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadInvariant {
    /// It holds at the head of the loop that begins there, not only before it.
    pub is_loop_head: bool,
    pub file_name: Option<String>,
    pub line: u32,
    pub column: Option<u32>,
    pub expression: String,
}

/// `None` if it is no correctness witness. The error is a sentence without the name of the file.
pub fn read(text: &str) -> Option<Result<ReadInvariants, String>> {
    let entries: Vec<InvariantKind> = serde_saphyr::from_str(text).ok()?;
    entries.iter().any(|entry| entry.entry_type == "invariant_set").then(|| read_entries(text))
}

#[derive(Deserialize)]
struct InvariantKind {
    entry_type: String,
}

fn read_entries(text: &str) -> Result<ReadInvariants, String> {
    let entries: Vec<InvariantEntry> = serde_saphyr::from_str(text)
        .map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    let mut read = ReadInvariants::default();
    for entry in entries {
        if entry.entry_type != "invariant_set" {
            read.not_understood.push(format!("an entry `{}`", entry.entry_type));
            continue;
        }
        let task = entry.metadata.task;
        read.properties = read.properties.or(task.specification.as_deref().and_then(properties_in));
        read.data_model = read.data_model.or(data_model(task.data_model.as_deref()));
        read.hashes.extend(task.input_file_hashes.into_values());
        for InvariantItem { invariant } in entry.content {
            match invariant.understood() {
                Ok(invariant) => read.invariants.push(invariant),
                Err(what) => read.not_understood.push(what),
            }
        }
    }
    Ok(read)
}

#[derive(Deserialize)]
struct InvariantEntry {
    entry_type: String,
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    content: Vec<InvariantItem>,
}

#[derive(Deserialize)]
struct InvariantItem {
    #[serde(default)]
    invariant: Invariant,
}

#[derive(Deserialize, Default)]
struct Invariant {
    #[serde(rename = "type", default)]
    kind: String,
    location: Option<InvariantPlace>,
    value: Option<String>,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct InvariantPlace {
    file_name: Option<String>,
    line: u32,
    column: Option<u32>,
}

impl Invariant {
    fn understood(self) -> Result<ReadInvariant, String> {
        let is_loop_head = match &self.kind[..] {
            "loop_invariant" => true,
            "location_invariant" => false,
            other => return Err(format!("an invariant of type `{other}`")),
        };
        match (self.value, self.location, &self.format[..]) {
            (Some(expression), Some(InvariantPlace { file_name, line, column }), "c_expression" | "C") => {
                Ok(ReadInvariant { is_loop_head, file_name, line, column, expression })
            }
            (Some(_), Some(_), other) => Err(format!("an invariant in the format `{other}`")),
            _ => Err("an invariant without value or location".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood_is_told_from_the_rest() {
        let text = "- entry_type: invariant_set\n  metadata:\n    task:\n      data_model: ILP32\n      specification: \
                    'CHECK( init(main()), LTL(G ! call(reach_error())) )'\n  content:\n    - invariant:\n        type: \
                    loop_invariant\n        location: {file_name: a.c, line: 3, column: 5, function: main}\n        \
                    value: x <= 3\n        format: c_expression\n    - invariant: {type: location_invariant, location: \
                    {line: 4}, value: '\\old(x) == 1', format: acsl}\n    - invariant: {type: contract}\n\
                    - entry_type: ghost_instrumentation\n  content: []\n";
        let read = read(text).expect("a correctness witness").expect("a readable one");
        let expected = ReadInvariant {
            is_loop_head: true,
            file_name: Some("a.c".to_owned()),
            line: 3,
            column: Some(5),
            expression: "x <= 3".to_owned(),
        };
        assert_eq!(read.invariants, [expected]);
        assert_eq!(read.properties, Some(PropertySet::of(&[program::Property::UnreachCall])));
        assert_eq!((read.data_model, read.not_understood.len()), (Some(DataModel::Ilp32), 3));
    }

    #[test]
    fn other_texts_are_no_correctness_witnesses() {
        for text in ["", "42", "- entry_type: violation_sequence\n", "[[[", "<graphml/>"] {
            assert_eq!(read(text), None, "{text}");
        }
        let broken = read("- entry_type: invariant_set\n  content: 7\n").expect("a correctness witness");
        assert!(broken.is_err_and(|error| !error.contains('\n')));
    }
}
