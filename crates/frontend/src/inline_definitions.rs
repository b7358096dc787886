//! Functions with an inline definition beside another definition. Which of the two a call means where the inline one is visible
//! is not specified (C11 6.7.4 p7), so that such calls are unsupported, unless both say the same.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{AttributeKind, FunctionDefinition, Item, Specifiers, StorageClass, TranslationUnit};
use crate::ast_print::{print_function, print_meaning};

/// The names of these functions.
#[derive(Default)]
pub struct InlineDefinitions(FxHashSet<String>);

impl InlineDefinitions {
    pub fn of(units: &[TranslationUnit]) -> Self {
        let mut all: FxHashMap<&str, Vec<(&TranslationUnit, &FunctionDefinition)>> = FxHashMap::default();
        for unit in units {
            for item in &unit.items {
                let Item::Function(definition) = item else { continue };
                if has_external_linkage(definition) {
                    all.entry(unit.name(definition.declarator.name)).or_default().push((unit, definition));
                }
            }
        }
        let is_doubtful = |definitions: &[(&TranslationUnit, &FunctionDefinition)]| {
            let is_inline = |&(unit, definition): &(&TranslationUnit, &FunctionDefinition)| is_inline(unit, definition);
            definitions.len() > 1 && definitions.iter().any(is_inline) && {
                let mut texts = definitions.iter().map(|&(unit, definition)| text(unit, definition));
                let first = texts.next();
                texts.any(|text| Some(text) != first)
            }
        };
        let doubtful = all.into_iter().filter(|(_, definitions)| is_doubtful(definitions));
        Self(doubtful.map(|(name, _)| name.to_owned()).collect())
    }

    /// Whether this definition is an inline one beside another.
    pub fn has_rival(&self, unit: &TranslationUnit, definition: &FunctionDefinition) -> bool {
        has_external_linkage(definition)
            && self.0.contains(unit.name(definition.declarator.name))
            && is_inline(unit, definition)
    }
}

/// What the function does, whatever is said about its linkage, with all that its words stand for.
fn text(unit: &TranslationUnit, definition: &FunctionDefinition) -> String {
    let mut all = without_numbers(&own_text(unit, definition));
    let (mut seen, mut next) = (FxHashSet::default(), words(&all));
    while let Some(word) = next.pop() {
        if let Some(symbol) = unit.names.lookup(&word)
            && seen.insert(word)
        {
            let meaning = without_numbers(&print_meaning(unit, symbol));
            next.extend(words(&meaning));
            all.push_str(&meaning);
        }
    }
    all
}

fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Types without a tag have numbers, as in `<r3>`, which tell nothing across files.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        let rest =
            part.split_once('>').filter(|(id, _)| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric()));
        before + "<" + rest.map_or(part, |(_, rest)| rest)
    })
}

fn own_text(unit: &TranslationUnit, definition: &FunctionDefinition) -> String {
    let mut definition = definition.clone();
    (definition.specifiers.inline, definition.specifiers.storage) = (false, None);
    definition.specifiers.attributes.clear();
    definition.declarator.attributes.clear();
    print_function(unit, &definition)
}

fn has_external_linkage(definition: &FunctionDefinition) -> bool {
    let attributes = definition.specifiers.attributes.iter().chain(&definition.declarator.attributes);
    let is_weak = attributes.into_iter().any(|attribute| matches!(attribute.kind, AttributeKind::Weak));
    definition.specifiers.storage != Some(StorageClass::Static) && !is_weak
}

/// Whether this is an inline definition, which does not define an external function. In GNU C89 `extern` makes it one; since C99
/// it is one if no declaration in the file is without `inline` or with `extern`.
fn is_inline(unit: &TranslationUnit, definition: &FunctionDefinition) -> bool {
    let is_extern = |specifiers: &Specifiers| specifiers.storage == Some(StorageClass::Extern);
    let specifiers = &definition.specifiers;
    let attributes = specifiers.attributes.iter().chain(&definition.declarator.attributes);
    let is_gnu = unit.dialect.gnu89_inline
        || attributes.into_iter().any(|attribute| matches!(attribute.kind, AttributeKind::GnuInline));
    if !specifiers.inline || is_gnu {
        return specifiers.inline && is_extern(specifiers);
    }
    let is_external = |specifiers: &Specifiers| !specifiers.inline || is_extern(specifiers);
    let name = definition.declarator.name;
    let is_declared_external = unit.items.iter().any(|item| match item {
        Item::Declaration(declaration) => {
            let mut declarators = declaration.declarators.iter();
            is_external(&declaration.specifiers) && declarators.any(|init| init.declarator.name == name)
        }
        _ => false,
    });
    !is_extern(specifiers) && !is_declared_external
}
