//! Models of library functions written in C: `prelude/*.c`, parsed at the first reference to one of them.

use std::sync::OnceLock;

use base::Files;
use rustc_hash::FxHashMap;

use crate::ast::{FunctionDefinition, Item, TranslationUnit};
use crate::parse_text;

const SOURCES: [(&str, &str); 12] = [
    ("pointers.c", include_str!("prelude/pointers.c")),
    ("bits.c", include_str!("prelude/bits.c")),
    ("process.c", include_str!("prelude/process.c")),
    ("string.c", include_str!("prelude/string.c")),
    ("text.c", include_str!("prelude/text.c")),
    ("stdlib.c", include_str!("prelude/stdlib.c")),
    ("math.c", include_str!("prelude/math.c")),
    ("input.c", include_str!("prelude/input.c")),
    ("output.c", include_str!("prelude/output.c")),
    ("files.c", include_str!("prelude/files.c")),
    ("time.c", include_str!("prelude/time.c")),
    ("getopt.c", include_str!("prelude/getopt.c")),
];

/// What a thread calls at its end if the program has keys of thread-specific data.
pub const RUN_KEY_DESTRUCTORS: &str = "__gordian_run_key_destructors";

/// Objects of the C library, each with the name that the prelude has for it: a program may use the name for its own.
pub const LIBRARY_OBJECTS: [(&str, &str); 4] = [
    ("optarg", "__gordian_optarg"),
    ("optind", "__gordian_optind"),
    ("opterr", "__gordian_opterr"),
    ("optopt", "__gordian_optopt"),
];

struct Prelude {
    unit: TranslationUnit,
    /// Index into the unit's items, by name.
    definitions: FxHashMap<String, usize>,
}

fn prelude() -> &'static Prelude {
    static PRELUDE: OnceLock<Prelude> = OnceLock::new();
    PRELUDE.get_or_init(|| {
        let text: String = SOURCES.iter().map(|(_, text)| *text).collect();
        let parsed = parse_text("<prelude>", text.as_bytes(), &mut Files::new());
        let unit = parsed.expect("the prelude should be correct C").unit;
        let definitions = unit.items.iter().enumerate().filter_map(|(index, item)| match item {
            Item::Function(definition) => Some((unit.name(definition.declarator.name).to_owned(), index)),
            _ => None,
        });
        let definitions = definitions.collect();
        Prelude { unit, definitions }
    })
}

pub fn unit() -> &'static TranslationUnit {
    &prelude().unit
}

/// Whether C leaves the last digits of the function's result to the implementation.
pub fn is_approximate(name: &str) -> bool {
    const APPROXIMATE: [&str; 14] =
        ["exp", "log", "log2", "log10", "pow", "cbrt", "hypot", "sin", "cos", "tan", "atan", "atan2", "asin", "acos"];
    APPROXIMATE.contains(&name.strip_suffix('f').unwrap_or(name))
}

/// Whether there is a model of the function.
pub fn defines(name: &str) -> bool {
    prelude().definitions.contains_key(name)
}

pub fn definition(name: &str) -> Option<&'static FunctionDefinition> {
    let prelude = prelude();
    match &prelude.unit.items[*prelude.definitions.get(name)?] {
        Item::Function(definition) => Some(definition),
        _ => None,
    }
}
