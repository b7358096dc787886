//! The head that all YAML witnesses share.

use std::fmt::Write;

use program::{DataModel, Property};

use super::{Circumstances, identifier, specification};

/// An entry of a YAML witness: its kind, its metadata, then `content`, which is indented already.
pub(super) fn entry(
    kind: &str,
    format_version: &str,
    properties: &[Property],
    circumstances: &Circumstances<'_>,
    content: &str,
) -> String {
    let formulas: Vec<String> = properties.iter().map(|property| specification(*property)).collect();
    let mut task = String::new();
    for (key, value) in [("input_files", true), ("input_file_hashes", false)] {
        let _ = writeln!(task, "      {key}:");
        for file in circumstances.files {
            let _ = match value {
                true => writeln!(task, "        - {}", quoted(&file.name)),
                false => writeln!(task, "        {}: {}", quoted(&file.name), quoted(&file.hash)),
            };
        }
    }
    let _ = writeln!(task, "      specification: {}", quoted(&formulas.join("\n")));
    let model = match circumstances.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let uuid = identifier(&[&task, content].concat());
    format!(
        "- entry_type: {}\n  metadata:\n    format_version: {}\n    uuid: {}\n    creation_time: {}\n    \
         producer:\n      name: \"Gordian\"\n      version: {}\n    task:\n{task}      data_model: {}\n      \
         language: \"C\"\n{content}",
        quoted(kind),
        quoted(format_version),
        quoted(&uuid),
        quoted(circumstances.creation_time),
        quoted(circumstances.version),
        quoted(model),
    )
}

/// A YAML string in double quotes, which is written as JSON writes it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text should be writable")
}
