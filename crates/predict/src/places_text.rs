//! The text form of places: one word for each instruction, for example `17=g3+8,T0#2+16` for an instruction with two
//! addresses, `18!T0#3/24` for one that made an object of 24 bytes, `19=g3+0>T0#3+0` for one that read a pointer.

use std::fmt::Write;

use execute::{object_text, parse_object};

use crate::places::{GivenPointer, InstructionPlaces, PlaceName};

pub fn write_places(at: &InstructionPlaces) -> String {
    let mut word = at.index.to_string();
    if !at.places.is_empty() {
        let places: Vec<String> = at.places.iter().map(|place| place.map_or("-".to_owned(), place_text)).collect();
        let _ = write!(word, "={}", places.join(","));
    }
    if let Some((object, size)) = at.made {
        let _ = write!(word, "!{}/{size}", object_text(object));
    }
    match at.given {
        Some(GivenPointer::Null) => word += ">0",
        Some(GivenPointer::To(place)) => {
            let _ = write!(word, ">{}", place_text(place));
        }
        None => {}
    }
    word
}

fn place_text(place: PlaceName) -> String {
    format!("{}+{}", object_text(place.object), place.offset)
}

pub fn parse_places(word: &str) -> Option<InstructionPlaces> {
    let (rest, given) = match word.split_once('>') {
        Some((rest, "0")) => (rest, Some(GivenPointer::Null)),
        Some((rest, place)) => (rest, Some(GivenPointer::To(parse_place(place)?))),
        None => (word, None),
    };
    let (rest, made) = match rest.split_once('!') {
        Some((rest, object)) => {
            let (object, size) = object.split_once('/')?;
            (rest, Some((parse_object(object).ok()?, size.parse().ok()?)))
        }
        None => (rest, None),
    };
    let (index, places) = match rest.split_once('=') {
        Some((index, places)) => (index, places.split(',').map(parse_optional).collect::<Option<Vec<_>>>()?),
        None => (rest, Vec::new()),
    };
    Some(InstructionPlaces { index: index.parse().ok()?, places, made, given })
}

fn parse_optional(word: &str) -> Option<Option<PlaceName>> {
    match word {
        "-" => Some(None),
        _ => parse_place(word).map(Some),
    }
}

fn parse_place(word: &str) -> Option<PlaceName> {
    let (object, offset) = word.rsplit_once('+')?;
    Some(PlaceName { object: parse_object(object).ok()?, offset: offset.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use program::{GlobalId, ObjectName, ThreadId};

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let heap = PlaceName { object: ObjectName::Allocated(ThreadId(1), 7), offset: 16 };
        let global = PlaceName { object: ObjectName::Global(GlobalId(3)), offset: u64::MAX };
        let local = PlaceName { object: ObjectName::ThreadLocal(GlobalId(0), ThreadId(2)), offset: 0 };
        let all = [
            InstructionPlaces { index: 0, places: vec![Some(heap), None], made: None, given: None },
            InstructionPlaces { index: 5, places: vec![Some(global)], made: None, given: Some(GivenPointer::Null) },
            InstructionPlaces { index: 6, places: vec![Some(local)], made: None, given: Some(GivenPointer::To(heap)) },
            InstructionPlaces { index: 9, places: Vec::new(), made: Some((heap.object, 24)), given: None },
        ];
        for places in all {
            assert_eq!(parse_places(&write_places(&places)), Some(places));
        }
        for wrong in ["", "x", "1=", "1=g3", "1!g3", "1>", "1=g3+8,", "-1=g3+8"] {
            assert_eq!(parse_places(wrong), None, "{wrong}");
        }
    }
}
