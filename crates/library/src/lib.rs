//! What the functions of the C library promise and demand, as data: one row per function.
//!
//! A row says for each pointer argument what is read and written there and how much, whether it may be null, and which
//! results the function can have, failure included. The front end derives the accesses and the results of a call from the
//! row; functions whose results depend on the contents of memory are models in C beside it, and satisfy their rows. Tests
//! are generated from the rows.

mod contract;
mod fields;
mod hidden;
mod rows;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use contract::{
    ANY_ERROR, AccessExtent, Argument, ArgumentAccess, CallOutcome, ChosenNumber, Demand, FunctionMeaning, HiddenUse,
    LibraryRow, Lifetime, Pointer,
};
pub use fields::{NumberRange, range_of_member};
pub use hidden::{HiddenState, STREAMS, hidden_states, words_for};

/// The functions that one header declares.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    pub name: &'static str,
    pub rows: &'static [LibraryRow],
}

/// Every header with its rows.
pub fn headers() -> &'static [Header] {
    &rows::HEADERS
}

/// Functions that write this hidden state.
pub fn functions_writing(state: &str) -> impl Iterator<Item = &'static str> {
    let rows = headers().iter().flat_map(|header| header.rows);
    let rows = rows.filter(move |row| row.hidden.is_some_and(|hidden| hidden.writes && hidden.state == state));
    rows.flat_map(|row| row.names).copied()
}

/// The row of a function.
pub fn row(name: &str) -> Option<&'static LibraryRow> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static LibraryRow>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| {
        let all = headers().iter().flat_map(|header| header.rows);
        all.flat_map(|row| row.names.iter().map(move |&name| (name, row))).collect()
    });
    by_name.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_row() {
        let names: Vec<&str> = headers().iter().flat_map(|h| h.rows).flat_map(|row| row.names).copied().collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name} has two rows");
        }
    }

    #[test]
    fn rows_refer_to_arguments_that_exist_and_are_numbers() {
        for row in headers().iter().flat_map(|header| header.rows) {
            let is_number = |index: u8| matches!(row.arguments.get(usize::from(index)), Some(Argument::Number(_)));
            for argument in row.arguments {
                let Argument::Pointer(pointer) = argument else { continue };
                match pointer.extent {
                    AccessExtent::Argument(n) | AccessExtent::TextUpTo(n) => assert!(is_number(n), "{:?}", row.names),
                    AccessExtent::Product(m, n) => assert!(is_number(m) && is_number(n), "{:?}", row.names),
                    AccessExtent::Bytes(_) | AccessExtent::Object(_) | AccessExtent::Text | AccessExtent::Part => {}
                }
            }
            for demand in row.demands {
                assert!(is_number(demand.argument), "{:?}", row.names);
                assert!(demand.low <= demand.high, "{:?}", row.names);
                let is_pointer = |n: u8| matches!(row.arguments.get(usize::from(n)), Some(Argument::Pointer(_)));
                assert!(demand.given.is_none_or(is_pointer), "{:?}", row.names);
            }
            if let CallOutcome::Count(n) = row.result {
                assert!(is_number(n), "{:?}", row.names);
            }
        }
    }

    #[test]
    fn examples_satisfy_the_demands() {
        for row in headers().iter().flat_map(|header| header.rows) {
            for demand in row.demands {
                let Argument::Number(example) = row.arguments[usize::from(demand.argument)] else { continue };
                assert!(demand.allows(example), "{:?}", row.names);
            }
        }
    }
}
