//! Models of library functions written in C: `prelude/*.c`. Only what a program needs of them is parsed: the models that it refers
//! to, those that these mention, and all declarations.

use std::sync::OnceLock;

use base::Files;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{FunctionDefinition, Item, TranslationUnit};
use crate::parse_text;

const SOURCES: [&str; 12] = [
    include_str!("prelude/pointers.c"),
    include_str!("prelude/bits.c"),
    include_str!("prelude/process.c"),
    include_str!("prelude/string.c"),
    include_str!("prelude/text.c"),
    include_str!("prelude/stdlib.c"),
    include_str!("prelude/math.c"),
    include_str!("prelude/input.c"),
    include_str!("prelude/output.c"),
    include_str!("prelude/files.c"),
    include_str!("prelude/time.c"),
    include_str!("prelude/getopt.c"),
];

/// What a thread calls at its end if the program has keys of thread-specific data.
pub const RUN_KEY_DESTRUCTORS: &str = "__gordian_run_key_destructors";
/// What a thread runs that is started through a pointer.
pub const START_THREAD: &str = "__gordian_start_thread";

/// What a thread calls at its end if the program asks for the numbers of threads.
pub const RELEASE_THREAD_NUMBER: &str = "__gordian_release_thread_number";

/// Objects of the models whose addresses a program may get, from a function or by a name of the C library.
const GIVEN_AWAY: [&str; 7] = [
    "__gordian_broken_down",
    "__gordian_date_text",
    "__gordian_error_text",
    "__gordian_optarg",
    "__gordian_opterr",
    "__gordian_optind",
    "__gordian_optopt",
];

/// Whether the object of this name belongs to the models and no program can get its address.
pub fn is_private(name: &str) -> bool {
    name.starts_with("__gordian_") && !GIVEN_AWAY.contains(&name)
}

/// Objects of the C library, each with the name that the prelude has for it: a program may use the name for its own.
pub const LIBRARY_OBJECTS: [(&str, &str); 4] = [
    ("optarg", "__gordian_optarg"),
    ("optind", "__gordian_optind"),
    ("opterr", "__gordian_opterr"),
    ("optopt", "__gordian_optopt"),
];

/// A declaration or definition at file level.
struct PreludeItem {
    text: &'static str,
    /// The function that it defines.
    function: Option<&'static str>,
}

/// All items in their order, and the functions among them by name.
struct PreludeIndex {
    items: Vec<PreludeItem>,
    functions: FxHashMap<&'static str, usize>,
}

fn index() -> &'static PreludeIndex {
    static INDEX: OnceLock<PreludeIndex> = OnceLock::new();
    INDEX.get_or_init(|| {
        let items: Vec<PreludeItem> = SOURCES.iter().flat_map(|source| items(source)).collect();
        let named = |(index, item): (usize, &PreludeItem)| Some((item.function?, index));
        let functions = items.iter().enumerate().filter_map(named).collect();
        PreludeIndex { items, functions }
    })
}

/// The models that a program needs, parsed.
pub struct Models {
    pub unit: TranslationUnit,
    /// Index into the unit's items, by name.
    definitions: FxHashMap<String, usize>,
}

impl Models {
    /// The models of these functions, those that they mention, and so on.
    pub fn of<'a>(roots: impl IntoIterator<Item = &'a str>) -> Self {
        let index = index();
        let mut needed: FxHashSet<usize> = FxHashSet::default();
        let mut work: Vec<usize> = roots.into_iter().filter_map(|name| index.functions.get(name).copied()).collect();
        let declarations = index.items.iter().filter(|item| item.function.is_none());
        work.extend(declarations.flat_map(|item| mentioned(index, item)));
        while let Some(next) = work.pop() {
            if needed.insert(next) {
                work.extend(mentioned(index, &index.items[next]));
            }
        }
        Self::parse(|item, position| item.function.is_none() || needed.contains(&position))
    }

    /// One model, without what it mentions.
    pub fn alone(name: &str) -> Option<Self> {
        let &wanted = index().functions.get(name)?;
        Some(Self::parse(|_, position| position == wanted))
    }

    /// All models.
    pub fn all() -> Self {
        Self::parse(|_, _| true)
    }

    fn parse(is_needed: impl Fn(&PreludeItem, usize) -> bool) -> Self {
        let chosen = index().items.iter().enumerate().filter(|(position, item)| is_needed(item, *position));
        let text: String = chosen.map(|(_, item)| item.text).collect();
        let parsed = parse_text("<prelude>", text.as_bytes(), &mut Files::new());
        let unit = parsed.expect("the prelude should be correct C").unit;
        let definitions = unit.items.iter().enumerate().filter_map(|(index, item)| match item {
            Item::Function(definition) => Some((unit.name(definition.declarator.name).to_owned(), index)),
            _ => None,
        });
        let definitions = definitions.collect();
        Self { unit, definitions }
    }

    pub fn definition(&self, name: &str) -> Option<&FunctionDefinition> {
        match &self.unit.items[*self.definitions.get(name)?] {
            Item::Function(definition) => Some(definition),
            _ => None,
        }
    }
}

/// Whether C leaves the last digits of the function's result to the implementation.
pub fn is_approximate(name: &str) -> bool {
    const APPROXIMATE: [&str; 14] =
        ["exp", "log", "log2", "log10", "pow", "cbrt", "hypot", "sin", "cos", "tan", "atan", "atan2", "asin", "acos"];
    APPROXIMATE.contains(&name.strip_suffix('f').unwrap_or(name))
}

/// Whether there is a model of the function.
pub fn defines(name: &str) -> bool {
    index().functions.contains_key(name)
}

/// The functions with models that an item mentions.
fn mentioned<'a>(index: &'a PreludeIndex, item: &'a PreludeItem) -> impl Iterator<Item = usize> + 'a {
    words(item.text).filter_map(|word| index.functions.get(word).copied())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Cuts a source into its items. An item ends with a semicolon or, if it is a function, with the brace that closes its body;
/// comments before it are part of it.
fn items(source: &'static str) -> Vec<PreludeItem> {
    let bytes = source.as_bytes();
    let (mut items, mut start, mut depth, mut at) = (Vec::new(), 0, 0_u32, 0);
    // Where the parameters of a function, or whatever else comes in parentheses first, begin.
    let mut parenthesis = None;
    while at < bytes.len() {
        match bytes[at] {
            b'/' | b'"' | b'\'' => {
                at = skip_quoted(bytes, at).max(at + 1);
                continue;
            }
            b'(' | b'{' | b'[' => {
                if bytes[at] == b'(' && depth == 0 {
                    parenthesis.get_or_insert(at);
                }
                depth += 1;
            }
            b')' | b'}' | b']' => depth -= 1,
            b'=' if depth == 0 => parenthesis = None,
            b';' => {}
            _ => {
                at += 1;
                continue;
            }
        }
        let ends_body = bytes[at] == b'}' && depth == 0 && parenthesis.is_some();
        at += 1;
        if ends_body || depth == 0 && bytes[at - 1] == b';' {
            let function = parenthesis.filter(|_| ends_body).and_then(|end| words(&source[start..end]).last());
            items.push(PreludeItem { text: &source[start..at], function });
            (start, parenthesis) = (at, None);
        }
    }
    items.push(PreludeItem { text: &source[start..], function: None });
    items
}

/// The end of the comment, string or character that begins at `at`; `at` itself if none does.
fn skip_quoted(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let find =
        |end: &[u8]| rest[2..].windows(end.len()).position(|window| window == end).map(|found| found + 2 + end.len());
    match rest {
        [b'/', b'*', ..] => at + find(b"*/").unwrap_or(rest.len()),
        [b'/', b'/', ..] => at + find(b"\n").unwrap_or(rest.len()),
        [quote @ (b'"' | b'\''), ..] => {
            let mut end = 1;
            while end < rest.len() && rest[end] != *quote {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            at + end + 1
        }
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index knows exactly the functions that the parser finds.
    #[test]
    fn index_has_the_functions_of_the_prelude() {
        let all = Models::all();
        let mut indexed: Vec<&str> = index().functions.keys().copied().collect();
        let mut parsed: Vec<&str> = all.definitions.keys().map(String::as_str).collect();
        indexed.sort_unstable();
        parsed.sort_unstable();
        assert_eq!(indexed, parsed);
        assert!(indexed.len() > 200);
    }

    /// What one model mentions is there, and what it does not mention is not.
    #[test]
    fn models_come_with_what_they_mention() {
        let models = Models::of(["__builtin_clz"]);
        assert!(models.definition("__builtin_clz").is_some());
        assert!(models.definition("__builtin_clzll").is_some());
        assert!(models.definition("getopt_long").is_none());
    }

    /// Models that order threads, with the reason.
    const ORDERING: [(&str, &str); 1] =
        [("__gordian_end_thread", "the last thread ends the process after the end of every other")];

    /// The arguments of a call whose opening parenthesis comes first in the text.
    fn arguments(text: &str) -> Vec<&str> {
        let (mut depth, mut start, mut found) = (0, 1, Vec::new());
        for (at, c) in text.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            if c == ',' && depth == 1 || depth == 0 {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            if depth == 0 {
                break;
            }
        }
        found
    }

    /// Neither C nor POSIX lets library functions order threads, so their shared state is accessed by relaxed operations alone.
    #[test]
    fn models_order_nothing() {
        let mut operations = 0;
        for item in &index().items {
            if ORDERING.iter().any(|(name, _)| item.function == Some(name)) {
                continue;
            }
            // Plain accesses to atomic objects are sequentially consistent, and so are these operations. What stands for a
            // function that is called through a pointer is the program's own call.
            let orders = |word: &&str| {
                let is_own_call = item.function == Some(*word);
                !is_own_call
                    && (*word == "_Atomic" || word.starts_with("__sync_") || word.starts_with("__VERIFIER_atomic"))
            };
            assert_eq!(words(item.text).find(orders), None, "{}", item.text);
            for (at, name) in item.text.match_indices("__atomic_") {
                let call = &item.text[at + name.len()..];
                let parenthesis = call.find('(').expect("an operation should have arguments");
                let order_count = if call.starts_with("compare_exchange") { 2 } else { 1 };
                let arguments = arguments(&call[parenthesis..]);
                let orders = &arguments[arguments.len() - order_count..];
                assert!(orders.iter().all(|order| *order == "0"), "{orders:?} in {}", item.text);
                operations += 1;
            }
        }
        assert!(operations > 30);
    }
}
