//! Reads YAML violation witnesses as waypoints. Waypoints to avoid are left out: they only narrow down what the others say.

use program::DataModel;
use program::waypoint::{Waypoint, WitnessThread};
use serde::Deserialize;

use super::{ReadWitness, equal_to, properties_in};

/// The error is a sentence without the name of the file.
pub fn read(text: &str) -> Result<ReadWitness, String> {
    let entries: Vec<WitnessEntry> = serde_saphyr::from_str(text)
        .map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
    let is_violation = |entry: &WitnessEntry| entry.entry_type == "violation_sequence";
    let entry = entries.into_iter().find(is_violation).ok_or("it has no `violation_sequence`")?;
    let segments = entry.content.into_iter().flat_map(|segment| segment.segment);
    let followed = segments.map(|item| item.waypoint).filter(|waypoint| waypoint.action != "avoid");
    let task = entry.metadata.task;
    Ok(ReadWitness {
        waypoints: followed.map(Point::waypoint).collect(),
        properties: task.specification.as_deref().and_then(properties_in),
        data_model: data_model(task.data_model.as_deref()),
        hashes: task.input_file_hashes.into_values().collect(),
    })
}

pub(super) fn data_model(name: Option<&str>) -> Option<DataModel> {
    match name? {
        "ILP32" => Some(DataModel::Ilp32),
        "LP64" => Some(DataModel::Lp64),
        _ => None,
    }
}

#[derive(Deserialize)]
struct WitnessEntry {
    entry_type: String,
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Segment>,
}

#[derive(Deserialize, Default)]
pub(super) struct Metadata {
    #[serde(default)]
    pub task: WitnessTask,
}

#[derive(Deserialize, Default)]
pub(super) struct WitnessTask {
    pub specification: Option<String>,
    pub data_model: Option<String>,
    #[serde(default)]
    pub input_file_hashes: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Segment {
    #[serde(default)]
    segment: Vec<WitnessItem>,
}

#[derive(Deserialize)]
struct WitnessItem {
    waypoint: Point,
}

#[derive(Deserialize)]
struct Point {
    #[serde(default)]
    action: String,
    thread_id: Option<u32>,
    constraint: Option<Constraint>,
    location: Option<WaypointLocation>,
}

#[derive(Deserialize)]
struct Constraint {
    value: Option<String>,
}

#[derive(Deserialize)]
struct WaypointLocation {
    line: Option<u32>,
}

impl Point {
    fn waypoint(self) -> Waypoint {
        let value = self.constraint.and_then(|constraint| constraint.value);
        Waypoint {
            thread: self.thread_id.map(WitnessThread),
            line: self.location.and_then(|place| place.line),
            inputs: value.as_deref().and_then(equal_to).into_iter().collect(),
            creates: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_witness_gets_a_sentence() {
        for text in ["", "42", "- entry_type: invariant_set\n", "- content: []\n", "[[[", "- entry_type: [1]\n"] {
            let error = read(text).expect_err(text);
            assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        }
    }
}
