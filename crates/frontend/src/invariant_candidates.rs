//! Guesses at invariants, in C: what may hold of the integer variables in scope wherever a function or a loop begins. They
//! have the shapes that thread-modular proofs use: a variable is one of few constants, or lies between constants that the
//! program compares it with, or below another variable. Whether a guess is true is for an engine to prove.

use std::collections::BTreeSet;
use std::fmt;

use base::Span;
use rustc_hash::FxHashMap;

use crate::ast::{
    BinaryOp, Declaration, Expr, ExprId, ExprKind, Initializer, Item, StmtKind, TranslationUnit, UnaryOp,
};
use crate::placed_check::{CheckKind, PlacedCheck};
use crate::symbol::Symbol;

/// So many variables of a place are guessed at, the innermost first.
const MOST_VARIABLES: usize = 12;
/// A variable that is one of more constants than this is not said to be one of them.
const MOST_CONSTANTS: usize = 4;
/// So many bounds on each side of a variable.
const MOST_BOUNDS: usize = 6;
/// So many guesses at all places together.
const MOST_CANDIDATES: usize = 400;

/// A place where an invariant can be told, and of what.
#[derive(Clone, Debug)]
pub struct InvariantSite {
    pub kind: CheckKind,
    pub span: Span,
    /// It is a `for` loop: some understand "before the loop" as before its initialisation.
    pub initialises: bool,
    /// Integers, the innermost scope first.
    pub variables: Vec<SiteVariable>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteVariable {
    pub name: Symbol,
    pub signed: bool,
}

/// What is guessed about a variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CandidateShape {
    OneOf(BTreeSet<i64>),
    AtLeast(i64),
    AtMost(i64),
    NotAbove(String),
}

/// A guess at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantGuess {
    pub variable: String,
    pub shape: CandidateShape,
    pub kind: CheckKind,
    pub span: Span,
    pub initialises: bool,
}

impl fmt::Display for InvariantGuess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.variable;
        match &self.shape {
            CandidateShape::OneOf(values) => {
                let parts: Vec<String> = values.iter().map(|value| format!("{name} == {value}")).collect();
                f.write_str(&parts.join(" || "))
            }
            CandidateShape::AtLeast(bound) => write!(f, "{name} >= {bound}"),
            CandidateShape::AtMost(bound) => write!(f, "{name} <= {bound}"),
            CandidateShape::NotAbove(other) => write!(f, "{name} <= {other}"),
        }
    }
}

impl InvariantGuess {
    /// All places at which it must hold to be true for every reader of the format.
    pub fn checks(&self, file_name: &str) -> Vec<PlacedCheck> {
        let check = |kind| PlacedCheck {
            kind,
            file_name: Some(file_name.to_owned()),
            line: self.span.line,
            column: Some(self.span.column),
            expression: self.to_string(),
        };
        match (self.kind, self.initialises) {
            (CheckKind::LoopHead, true) => vec![check(CheckKind::LoopHead), check(CheckKind::Location)],
            (kind, _) => vec![check(kind)],
        }
    }

    fn place(&self) -> (CheckKind, Span, &str) {
        (self.kind, self.span, &self.variable)
    }
}

/// One expression for each place, which says what all of these candidates say there together.
pub fn conjunctions(candidates: &[InvariantGuess]) -> Vec<(CheckKind, Span, String)> {
    let mut found: Vec<(CheckKind, Span, String)> = Vec::new();
    for (index, first) in candidates.iter().enumerate() {
        if candidates[..index].iter().any(|earlier| earlier.place() == first.place()) {
            continue;
        }
        let shapes = candidates.iter().filter(|other| other.place() == first.place()).map(|other| &other.shape);
        let text = together(&first.variable, shapes);
        match found.iter_mut().find(|(kind, span, _)| (*kind, *span) == (first.kind, first.span)) {
            Some((_, _, known)) => *known = format!("{known} && {text}"),
            None => found.push((first.kind, first.span, text)),
        }
    }
    found
}

/// What several shapes of one variable say, without what follows from the rest. If no value fits, nobody ever gets there.
fn together<'a>(name: &str, shapes: impl Iterator<Item = &'a CandidateShape>) -> String {
    let (mut low, mut high, mut values) = (i64::MIN, i64::MAX, None);
    let mut parts = Vec::new();
    for shape in shapes {
        match shape {
            CandidateShape::OneOf(few) => values = Some(few),
            CandidateShape::AtLeast(bound) => low = low.max(*bound),
            CandidateShape::AtMost(bound) => high = high.min(*bound),
            CandidateShape::NotAbove(other) => parts.push(format!("{name} <= {other}")),
        }
    }
    if low > high || values.is_some_and(|values: &BTreeSet<i64>| values.range(low..=high).next().is_none()) {
        return "0".to_owned();
    }
    if let Some(values) = values {
        let few: Vec<String> = values.range(low..=high).map(|value| format!("{name} == {value}")).collect();
        parts.insert(0, if few.len() == 1 { few[0].clone() } else { format!("({})", few.join(" || ")) });
    } else if low == high {
        parts.insert(0, format!("{name} == {low}"));
    } else {
        let bounds = [
            (low > i64::MIN).then(|| format!("{name} >= {low}")),
            (high < i64::MAX).then(|| format!("{name} <= {high}")),
        ];
        parts.splice(0..0, bounds.into_iter().flatten());
    }
    parts.join(" && ")
}

/// Guesses for the places of one translation unit.
pub fn candidates(unit: &TranslationUnit, sites: &[InvariantSite]) -> Vec<InvariantGuess> {
    let mentions = Mentions::of(unit);
    let mut found = Vec::new();
    for site in sites {
        let known = site.variables.iter().filter(|variable| mentions.facts.contains_key(&variable.name));
        for variable in known.take(MOST_VARIABLES) {
            let shapes = mentions.shapes(unit, *variable, site);
            found.extend(shapes.into_iter().map(|shape| InvariantGuess {
                variable: unit.name(variable.name).to_owned(),
                shape,
                kind: site.kind,
                span: site.span,
                initialises: site.initialises,
            }));
        }
    }
    found.truncate(MOST_CANDIDATES);
    found
}

/// What a unit does with a name, whichever variable of that name is meant.
#[derive(Default)]
struct Facts {
    assigned: BTreeSet<i64>,
    /// It gets values that are not constants, too.
    varies: bool,
    compared: BTreeSet<i64>,
    /// What it is said to be less than.
    below: Vec<Symbol>,
}

#[derive(Default)]
struct Mentions {
    facts: FxHashMap<Symbol, Facts>,
}

impl Mentions {
    fn of(unit: &TranslationUnit) -> Self {
        let mut mentions = Self::default();
        for item in &unit.items {
            if let Item::Declaration(declaration) = item {
                mentions.declaration(unit, declaration, true);
            }
        }
        for statement in unit.stmts.iter() {
            if let StmtKind::Declaration(declaration) = &statement.kind {
                mentions.declaration(unit, declaration, false);
            }
        }
        for expression in unit.exprs.iter() {
            mentions.expression(unit, expression);
        }
        mentions
    }

    fn fact(&mut self, name: Symbol) -> &mut Facts {
        self.facts.entry(name).or_default()
    }

    /// Globals without an initialiser are zero.
    fn declaration(&mut self, unit: &TranslationUnit, declaration: &Declaration, is_global: bool) {
        for declarator in &declaration.declarators {
            let value = match &declarator.initializer {
                Some(Initializer::Expr(expr)) => Some(constant(unit, *expr)),
                Some(Initializer::List(_)) => None,
                None => is_global.then_some(Some(0)),
            };
            if let Some(value) = value {
                self.assigned(declarator.declarator.name, value);
            }
        }
    }

    fn assigned(&mut self, name: Symbol, value: Option<i64>) {
        let fact = self.fact(name);
        match value {
            Some(value) => _ = fact.assigned.insert(value),
            None => fact.varies = true,
        }
    }

    fn expression(&mut self, unit: &TranslationUnit, expression: &Expr) {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        use UnaryOp::{AddressOf, PostDecrement, PostIncrement, PreDecrement, PreIncrement};
        match expression.kind {
            ExprKind::Assign { op, target, value } => {
                let value = if op.is_none() { constant(unit, value) } else { None };
                if let Some(name) = name_of(unit, target) {
                    self.assigned(name, value);
                }
            }
            ExprKind::Unary { op, operand } => {
                let changes = matches!(op, PreIncrement | PreDecrement | PostIncrement | PostDecrement | AddressOf);
                if let Some(name) = name_of(unit, operand).filter(|_| changes) {
                    self.assigned(name, None);
                }
            }
            ExprKind::Binary { op: Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual, left, right } => {
                for (one, other) in [(left, right), (right, left)] {
                    if let (Some(name), Some(value)) = (name_of(unit, one), constant(unit, other)) {
                        self.fact(name).compared.insert(value);
                        if matches!(expression.kind, ExprKind::Binary { op: Less, .. }) && one == left {
                            self.fact(name).compared.insert(value - 1);
                        }
                    }
                }
                if let (Some(left), Some(right)) = (name_of(unit, left), name_of(unit, right)) {
                    match expression.kind {
                        ExprKind::Binary { op: Less | LessEqual, .. } => self.fact(left).below.push(right),
                        ExprKind::Binary { op: Greater | GreaterEqual, .. } => self.fact(right).below.push(left),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn shapes(&self, unit: &TranslationUnit, variable: SiteVariable, site: &InvariantSite) -> BTreeSet<CandidateShape> {
        let facts = &self.facts[&variable.name];
        let mut shapes = BTreeSet::new();
        let fits = |value: &i64| variable.signed || *value >= 0;
        let assigned: BTreeSet<i64> = facts.assigned.iter().copied().filter(fits).collect();
        if !facts.varies && !assigned.is_empty() && assigned.len() <= MOST_CONSTANTS {
            shapes.insert(CandidateShape::OneOf(assigned.clone()));
        }
        let bounds: Vec<i64> = facts.compared.iter().copied().filter(fits).take(MOST_BOUNDS).collect();
        let lower = assigned.first().copied().into_iter().chain(bounds.iter().copied()).chain([0]);
        shapes.extend(lower.filter(|&bound| variable.signed || bound > 0).map(CandidateShape::AtLeast));
        let upper = assigned.last().copied().into_iter().chain(bounds.iter().copied());
        shapes.extend(upper.map(CandidateShape::AtMost));
        for &other in &facts.below {
            let is_here = |known: &&SiteVariable| known.name == other && known.signed == variable.signed;
            if site.variables.iter().any(|known| is_here(&known)) {
                shapes.insert(CandidateShape::NotAbove(unit.name(other).to_owned()));
            }
        }
        shapes
    }
}

fn name_of(unit: &TranslationUnit, expr: ExprId) -> Option<Symbol> {
    match unit[expr].kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

/// A constant of 31 bits: written the same way, it means the same for every type of a variable.
fn constant(unit: &TranslationUnit, expr: ExprId) -> Option<i64> {
    match unit[expr].kind {
        ExprKind::Integer(constant) => i32::try_from(constant.value).ok().map(i64::from),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => match unit[operand].kind {
            ExprKind::Integer(constant) => i32::try_from(constant.value).ok().map(|value| -i64::from(value)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{CompileOptions, compile_text};

    #[test]
    fn what_is_told_has_no_repetitions() {
        let shape = |shape| InvariantGuess {
            variable: "x".to_owned(),
            shape,
            kind: CheckKind::LoopHead,
            span: Span::UNKNOWN,
            initialises: false,
        };
        let text = |shapes: Vec<CandidateShape>| {
            let candidates: Vec<InvariantGuess> = shapes.into_iter().map(shape).collect();
            conjunctions(&candidates).into_iter().map(|(_, _, text)| text).collect::<Vec<String>>()
        };
        let few = || CandidateShape::OneOf(BTreeSet::from([0, 1, 5]));
        assert_eq!(text(vec![few()]), ["(x == 0 || x == 1 || x == 5)"]);
        assert_eq!(text(vec![few(), CandidateShape::AtLeast(0), CandidateShape::AtMost(1)]), ["(x == 0 || x == 1)"]);
        assert_eq!(text(vec![CandidateShape::AtMost(0), few()]), ["x == 0"]);
        assert_eq!(
            text(vec![CandidateShape::AtLeast(0), CandidateShape::AtLeast(2), CandidateShape::AtMost(2)]),
            ["x == 2"]
        );
        assert_eq!(text(vec![CandidateShape::AtLeast(2), few(), CandidateShape::AtMost(4)]), ["0"]);
        assert_eq!(
            text(vec![CandidateShape::AtLeast(1), CandidateShape::NotAbove("n".to_owned())]),
            ["x >= 1 && x <= n"]
        );
    }

    fn guesses(text: &str) -> Vec<InvariantGuess> {
        let options = CompileOptions { propose_invariants: true, ..CompileOptions::default() };
        compile_text("a.c", text, &options).expect("a program").candidates
    }

    #[test]
    fn guesses_are_about_what_is_in_scope() {
        let text = "int flag; unsigned u = 3;\nint main(void) {\n  int i = 0, n = 10;\n  while (i < n) {\n    int flag = 7;\n    \
                    for (int j = 0; j < 5; j++) { i++; }\n  }\n  flag = 1;\n  u = 2; return 0;\n}\n";
        let guesses = guesses(text);
        let found: Vec<String> = guesses.iter().map(|guess| format!("{}: {guess}", guess.span.line)).collect();
        let has = |guess: &str| found.iter().any(|other| other == guess);
        assert!(has("3: flag == 0 || flag == 1 || flag == 7"), "{found:?}");
        assert!(has("3: u == 2 || u == 3") && has("4: i <= n") && has("4: i >= 0"), "{found:?}");
        assert!(!found.iter().any(|guess| guess.starts_with("3: i")), "not declared yet: {found:?}");
        let of_counter: Vec<&InvariantGuess> = guesses.iter().filter(|guess| guess.variable == "j").collect();
        assert!(!of_counter.is_empty() && of_counter.iter().all(|guess| guess.kind == CheckKind::Location));
    }
}
