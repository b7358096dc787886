//! Reads GraphML violation witnesses, ours and those of others: the shortest path from the entry to a violation becomes a
//! row of waypoints. What an automaton allows beside that path is not used.

use std::collections::{BTreeMap, HashMap, VecDeque};

use program::DataModel;
use program::waypoint::{Waypoint, WitnessThread};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::graphml::INPUTS;
use super::{ReadWitness, equal_to, properties_in};

/// The error is a sentence without the name of the file.
pub fn read(text: &str) -> Result<ReadWitness, String> {
    let document = Document::parse(text)?;
    if let Some(kind) = document.graph.get("witness-type").filter(|kind| &kind[..] != "violation_witness") {
        return Err(format!("it is a `{kind}`, and only violation witnesses can be followed"));
    }
    let path = document.path()?;
    let mut threads = ThreadNames::default();
    Ok(ReadWitness {
        waypoints: path.into_iter().map(|edge| waypoint(edge, &mut threads)).collect(),
        properties: document.graph.get("specification").and_then(|text| properties_in(text)),
        data_model: document.graph.get("architecture").and_then(|text| match text.trim() {
            "32bit" => Some(DataModel::Ilp32),
            "64bit" => Some(DataModel::Lp64),
            _ => None,
        }),
        hashes: document.hashes,
    })
}

type Data = BTreeMap<String, String>;

#[derive(Default)]
struct Document {
    graph: Data,
    hashes: Vec<String>,
    entry: Option<String>,
    violations: Vec<String>,
    edges: Vec<GraphmlEdge>,
}

#[derive(Default)]
struct GraphmlEdge {
    source: String,
    target: String,
    data: Data,
}

/// Whose data is being read.
enum Owner {
    Graph,
    Node(String),
    Edge(GraphmlEdge),
}

impl Document {
    fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader::from_str(text);
        let mut document = Document::default();
        let mut owner = Owner::Graph;
        let mut data: Option<(String, String)> = None;
        loop {
            let event = reader.read_event().map_err(|error| {
                let line = 1 + text.as_bytes()[..(reader.error_position() as usize).min(text.len())]
                    .iter()
                    .filter(|&&byte| byte == b'\n')
                    .count();
                format!("line {line}: {error}")
            })?;
            match event {
                Event::Eof => return Ok(document),
                Event::Start(tag) => match tag.local_name().as_ref() {
                    b"node" => owner = Owner::Node(attribute(&tag, "id")?),
                    b"edge" => owner = Owner::Edge(new_edge(&tag)?),
                    b"data" => data = Some((attribute(&tag, "key")?, String::new())),
                    _ => {}
                },
                Event::Empty(tag) if tag.local_name().as_ref() == b"edge" => document.edges.push(new_edge(&tag)?),
                Event::Text(part) => {
                    if let Some((_, value)) = &mut data {
                        value.push_str(&part.decode().map_err(|error| error.to_string())?);
                    }
                }
                Event::CData(part) => {
                    if let Some((_, value)) = &mut data {
                        value.push_str(&String::from_utf8_lossy(&part));
                    }
                }
                Event::GeneralRef(part) => {
                    if let Some((_, value)) = &mut data {
                        value.push_str(&character(&String::from_utf8_lossy(&part)));
                    }
                }
                Event::End(tag) => match tag.local_name().as_ref() {
                    b"data" => {
                        if let Some((key, value)) = data.take() {
                            document.add(&mut owner, key, value.trim().to_owned());
                        }
                    }
                    b"edge" => {
                        if let Owner::Edge(edge) = std::mem::replace(&mut owner, Owner::Graph) {
                            document.edges.push(edge);
                        }
                    }
                    b"node" => owner = Owner::Graph,
                    _ => {}
                },
                _ => {}
            }
        }
    }

    fn add(&mut self, owner: &mut Owner, key: String, value: String) {
        match owner {
            Owner::Edge(edge) => drop(edge.data.insert(key, value)),
            Owner::Node(id) if value == "true" && key == "entry" => self.entry = Some(id.clone()),
            Owner::Node(id) if value == "true" && key == "violation" => self.violations.push(id.clone()),
            Owner::Node(_) => {}
            Owner::Graph => {
                if key == "programhash" {
                    self.hashes.push(value.clone());
                }
                let old = self.graph.remove(&key).map_or(String::new(), |old| old + "\n");
                self.graph.insert(key, old + &value);
            }
        }
    }

    /// The edges of a shortest path from the entry to a violation.
    fn path(&self) -> Result<Vec<&GraphmlEdge>, String> {
        let entry = self.entry.as_deref().ok_or("it has no entry node")?;
        let mut leaving: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, edge) in self.edges.iter().enumerate() {
            leaving.entry(&edge.source).or_default().push(number);
        }
        let mut reached_by: HashMap<&str, Option<usize>> = HashMap::from([(entry, None)]);
        let mut open = VecDeque::from([entry]);
        while let Some(node) = open.pop_front() {
            if self.violations.iter().any(|violation| violation == node) {
                return Ok(self.walk_back(node, &reached_by));
            }
            for &number in leaving.get(node).into_iter().flatten() {
                let target = &self.edges[number].target[..];
                if !reached_by.contains_key(target) {
                    reached_by.insert(target, Some(number));
                    open.push_back(target);
                }
            }
        }
        Err("no path leads from its entry to a violation".to_owned())
    }

    fn walk_back(&self, end: &str, reached_by: &HashMap<&str, Option<usize>>) -> Vec<&GraphmlEdge> {
        let mut path = Vec::new();
        let mut node = end;
        while let Some(Some(number)) = reached_by.get(node) {
            path.push(&self.edges[*number]);
            node = &self.edges[*number].source;
        }
        path.reverse();
        path
    }
}

fn new_edge(tag: &BytesStart<'_>) -> Result<GraphmlEdge, String> {
    Ok(GraphmlEdge { source: attribute(tag, "source")?, target: attribute(tag, "target")?, data: Data::new() })
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<String, String> {
    let missing = || format!("a `{}` has no `{name}`", String::from_utf8_lossy(tag.local_name().as_ref()));
    let found = tag.try_get_attribute(name).map_err(|error| error.to_string())?.ok_or_else(missing)?;
    found.unescape_value().map(|value| value.into_owned()).map_err(|error| error.to_string())
}

/// What `&name;` stands for; nothing for names that nobody knows.
fn character(name: &str) -> String {
    let number = name.strip_prefix("#x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let number = number.or_else(|| name.strip_prefix('#').and_then(|digits| digits.parse().ok()));
    match (name, number.and_then(char::from_u32)) {
        ("lt", _) => "<".to_owned(),
        ("gt", _) => ">".to_owned(),
        ("amp", _) => "&".to_owned(),
        ("quot", _) => "\"".to_owned(),
        ("apos", _) => "'".to_owned(),
        (_, c) => c.map(String::from).unwrap_or_default(),
    }
}

/// Threads by the names that a witness gives them, numbered as they appear.
#[derive(Default)]
struct ThreadNames(Vec<String>);

impl ThreadNames {
    fn number(&mut self, name: &str) -> WitnessThread {
        let known = self.0.iter().position(|other| other == name);
        let index = known.unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        WitnessThread(index as u32)
    }
}

fn waypoint(edge: &GraphmlEdge, threads: &mut ThreadNames) -> Waypoint {
    let data = |key: &str| edge.data.get(key).map(String::as_str);
    let thread = data("threadId").map(|name| threads.number(name));
    let assumption = data("assumption").unwrap_or_default();
    let inputs = match data(INPUTS) {
        Some(all) => all.split_whitespace().filter_map(|input| input.parse().ok()).collect(),
        None => assumption.split(['&', ';']).filter_map(equal_to).collect(),
    };
    Waypoint {
        thread,
        line: data("startline").and_then(|line| line.parse().ok()),
        inputs,
        creates: data("createThread").map(|name| threads.number(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As other tools write them: namespaces, branches, sinks, several assumptions.
    const FOREIGN: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key attr.name="isEntryNode" attr.type="boolean" for="node" id="entry"><default>false</default></key>
 <graph edgedefault="directed">
  <data key="witness-type">violation_witness</data>
  <data key="specification">G ! call(reach_error())</data>
  <data key="specification">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>
  <node id="A0"><data key="entry">true</data></node>
  <node id="sink"><data key="sink">true</data></node>
  <node id="A1"/><node id="A2"/>
  <node id="A3"><data key="violation">true</data></node>
  <edge source="A0" target="sink"><data key="startline">9</data></edge>
  <edge source="A0" target="A1">
   <data key="startline">12</data><data key="threadId">main</data><data key="createThread">w</data>
  </edge>
  <edge source="A1" target="A1"><data key="startline">99</data></edge>
  <edge source="A1" target="A2"><data key="threadId">w</data><data key="assumption">x == 3;</data>
   <data key="sourcecode"><![CDATA[if (x < 4 && y)]]></data></edge>
  <edge source="A2" target="A3"/>
 </graph>
</graphml>"#;

    #[test]
    fn a_foreign_witness_is_a_path_of_waypoints() {
        let read = read(FOREIGN).expect("a witness");
        assert_eq!(read.properties, Some(program::PropertySet::of(&[program::Property::UnreachCall])));
        let (main, worker) = (WitnessThread(0), WitnessThread(1));
        let expected = [
            Waypoint { thread: Some(main), line: Some(12), creates: Some(worker), ..Waypoint::default() },
            Waypoint { thread: Some(worker), inputs: vec![3], ..Waypoint::default() },
            Waypoint::default(),
        ];
        assert_eq!(read.waypoints, expected);
    }

    #[test]
    fn what_is_no_witness_gets_a_sentence() {
        let wrong = [
            "",
            "hello",
            "<graphml>",
            "<graphml><graph><node id='a'/></graph></graphml>",
            "<graphml><edge/></graphml>",
            "<a><b></a>",
            &FOREIGN.replace("violation_witness", "correctness_witness"),
            &FOREIGN.replace("target=\"A3\"", "target=\"A9\""),
        ];
        for text in wrong {
            assert!(!read(text).expect_err(text).is_empty());
        }
        for end in 0..FOREIGN.len() {
            let _ = read(&FOREIGN[..end]);
        }
    }
}
