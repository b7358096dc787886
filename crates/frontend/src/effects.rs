//! What the evaluation of expressions and the calls of functions may read and write, roughly: enough to see where the order
//! of evaluation, which C leaves open, can make a difference. "Memory" is everything that another expression may reach:
//! globals, what pointers lead to, and the state of the library.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::ast::{
    Asm, Declaration, ExprId, ExprKind, ForInit, Initializer, Item, Parameters, StmtId, StmtKind, StorageClass,
    TranslationUnit, TypeExprKind, UnaryOp,
};
use crate::symbol::Symbol;
use crate::visit::Visit;

/// A global by name, or the state that library functions keep.
type Name = Rc<str>;

/// Stands for the state that library functions keep.
const LIBRARY: &str = "(library)";

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effects {
    pub reads: BTreeSet<Name>,
    pub writes: BTreeSet<Name>,
    /// Something is read or written through a pointer.
    pub reads_through_pointer: bool,
    pub writes_through_pointer: bool,
    /// A function is called, so that the evaluations do not interleave.
    pub calls: bool,
    /// Nothing is known.
    pub anything: bool,
}

impl Effects {
    fn anything() -> Self {
        Self { calls: true, anything: true, ..Self::default() }
    }

    pub fn add(&mut self, other: &Effects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.reads_through_pointer |= other.reads_through_pointer;
        self.writes_through_pointer |= other.writes_through_pointer;
        self.calls |= other.calls;
        self.anything |= other.anything;
    }

    fn touches_memory(&self) -> bool {
        self.anything
            || self.reads_through_pointer
            || self.writes_through_pointer
            || !self.reads.is_empty()
            || !self.writes.is_empty()
    }

    pub fn writes_memory(&self) -> bool {
        self.anything || self.writes_through_pointer || !self.writes.is_empty()
    }
}

/// What each function of the program does to memory, by name.
#[derive(Default)]
pub struct FunctionEffects {
    functions: BTreeMap<String, Effects>,
    /// Globals that pointers may lead to.
    address_taken: FxHashSet<String>,
}

impl FunctionEffects {
    pub fn of(units: &[TranslationUnit]) -> Self {
        let mut known = Self::default();
        let mut bodies = Vec::new();
        for unit in units {
            known.note_addresses(unit);
            for item in &unit.items {
                let Item::Function(definition) = item else { continue };
                let mut search = Search::new(unit);
                search.parameters(&unit[definition.declarator.ty].kind);
                search.locals_of(definition.body);
                search.statement(definition.body);
                let name = unit.name(definition.declarator.name).to_owned();
                known.functions.entry(name.clone()).or_default().add(&search.own);
                bodies.push((name, search.called));
            }
        }
        while known.spread(&bodies) {}
        known
    }

    fn note_addresses(&mut self, unit: &TranslationUnit) {
        for expr in unit.exprs.iter() {
            if let ExprKind::Unary { op: UnaryOp::AddressOf, operand } = expr.kind {
                let mut inner = operand;
                while let ExprKind::Member { base, arrow: false, .. } = unit[inner].kind {
                    inner = base;
                }
                if let ExprKind::Name(name) = unit[inner].kind {
                    self.address_taken.insert(unit.name(name).to_owned());
                }
            }
        }
    }

    /// What callees do, callers do; whether that was news.
    fn spread(&mut self, bodies: &[(String, Vec<String>)]) -> bool {
        let mut changed = false;
        for (name, called) in bodies {
            let mut all = self.functions.get(name).cloned().unwrap_or_default();
            for callee in called {
                all.add(&Effects { calls: false, ..self.of_call(callee) });
            }
            if self.functions.get(name) != Some(&all) {
                self.functions.insert(name.clone(), all);
                changed = true;
            }
        }
        changed
    }

    /// What a call of the function does, besides evaluating its arguments.
    pub fn of_call(&self, name: &str) -> Effects {
        let own = self.functions.get(name).cloned().unwrap_or_else(|| of_library_function(name));
        Effects { calls: true, ..own }
    }

    /// What a call through a pointer does.
    pub fn of_unknown_call(&self) -> Effects {
        Effects::anything()
    }

    /// Whether it may matter which of the two comes first.
    pub fn conflict(&self, one: &Effects, other: &Effects) -> bool {
        self.disturbs(one, other) || self.disturbs(other, one)
    }

    fn disturbs(&self, writer: &Effects, other: &Effects) -> bool {
        if writer.anything || other.anything {
            return writer.writes_memory() && other.touches_memory();
        }
        let mut touched = other.reads.iter().chain(&other.writes);
        let by_name = touched.clone().any(|name| writer.writes.contains(name));
        let reaches = |name: &Name| self.address_taken.contains(&**name);
        let through = other.reads_through_pointer || other.writes_through_pointer;
        by_name
            || writer.writes_through_pointer && (through || touched.any(reaches))
            || through && writer.writes.iter().any(reaches)
    }
}

/// Functions that the program does not define. Inputs are any value in any order, and memory that is allocated is
/// nobody else's.
fn of_library_function(name: &str) -> Effects {
    const NOTHING: [&str; 34] = [
        "malloc",
        "calloc",
        "alloca",
        "aligned_alloc",
        "abs",
        "labs",
        "llabs",
        "fabs",
        "sqrt",
        "floor",
        "ceil",
        "pow",
        "sin",
        "cos",
        "tan",
        "exp",
        "log",
        "fmod",
        "round",
        "trunc",
        "isalpha",
        "isdigit",
        "isspace",
        "isalnum",
        "isupper",
        "islower",
        "isprint",
        "ispunct",
        "isxdigit",
        "toupper",
        "tolower",
        "pthread_self",
        "pthread_equal",
        "getpid",
    ];
    const READS: [&str; 17] = [
        "strlen",
        "strnlen",
        "strcmp",
        "strncmp",
        "strcasecmp",
        "strncasecmp",
        "memcmp",
        "strchr",
        "strrchr",
        "strstr",
        "memchr",
        "atoi",
        "atol",
        "printf",
        "puts",
        "putchar",
        "strpbrk",
    ];
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let is_input = plain.starts_with("__VERIFIER_nondet_") || plain.starts_with("nondet_");
    let is_builtin = plain != name && !plain.starts_with("mem") && !plain.starts_with("str");
    let reads = Effects { reads_through_pointer: true, ..Effects::default() };
    if is_input || is_builtin || NOTHING.contains(&plain) {
        return Effects::default();
    }
    if READS.contains(&plain) || plain.contains("atomic_load") {
        return reads;
    }
    let library: BTreeSet<Name> = [Name::from(LIBRARY)].into_iter().collect();
    Effects { writes: library, writes_through_pointer: writes_memory(plain), ..reads }
}

/// Whether a library function may write to what its arguments lead to. Functions that it calls and formats may.
fn writes_memory(name: &str) -> bool {
    library::row(name).is_none_or(|row| {
        row.arguments.iter().any(|argument| match argument {
            library::Argument::Number(_) => false,
            library::Argument::Pointer(pointer) => pointer.access != library::Access::Read,
            library::Argument::Other(_) | library::Argument::Format(_) => true,
        })
    })
}

/// Collects what one function does itself and whom it calls.
struct Search<'a> {
    ast: &'a TranslationUnit,
    /// Names of parameters and automatic variables.
    locals: FxHashSet<Symbol>,
    own: Effects,
    called: Vec<String>,
}

impl<'a> Search<'a> {
    fn new(ast: &'a TranslationUnit) -> Self {
        Self { ast, locals: FxHashSet::default(), own: Effects::default(), called: Vec::new() }
    }

    fn name(&self, symbol: Symbol) -> Name {
        Name::from(self.ast.name(symbol))
    }

    fn parameters(&mut self, ty: &TypeExprKind) {
        let TypeExprKind::Function { parameters, .. } = ty else { return };
        match parameters {
            Parameters::Unspecified => {}
            Parameters::Prototype { parameters, .. } => {
                self.locals.extend(parameters.iter().filter_map(|parameter| parameter.name));
            }
            Parameters::Identifiers(names) => self.locals.extend(names.iter().map(|(name, _)| *name)),
        }
    }

    /// A name that is a local anywhere in the function is taken for one everywhere, unless it is static there.
    fn locals_of(&mut self, id: StmtId) {
        match &self.ast[id].kind {
            StmtKind::Compound(block) => block.items.iter().for_each(|item| self.locals_of(*item)),
            StmtKind::Declaration(declaration) => self.local_names(declaration),
            StmtKind::If { then, otherwise, .. } => {
                self.locals_of(*then);
                otherwise.iter().for_each(|otherwise| self.locals_of(*otherwise));
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Labeled { body, .. } => self.locals_of(*body),
            StmtKind::For { init, body, .. } => {
                if let ForInit::Declaration(declaration) = init {
                    self.local_names(declaration);
                }
                self.locals_of(*body);
            }
            _ => {}
        }
    }

    fn local_names(&mut self, declaration: &Declaration) {
        let is_shared = matches!(declaration.specifiers.storage, Some(StorageClass::Static | StorageClass::Extern));
        if !is_shared {
            self.locals.extend(declaration.declarators.iter().map(|init| init.declarator.name));
        }
    }

    fn children(&mut self, id: ExprId) {
        let mut parts = Vec::new();
        let mut bodies = Vec::new();
        parts_of(self.ast, id, &mut parts, &mut bodies);
        parts.into_iter().for_each(|part| self.expression(part));
        bodies.into_iter().for_each(|body| self.statement(body));
    }

    fn write(&mut self, target: ExprId) {
        match &self.ast[target].kind {
            ExprKind::Name(name) if self.locals.contains(name) => {}
            ExprKind::Name(name) => {
                let name = self.name(*name);
                self.own.reads.insert(name.clone());
                self.own.writes.insert(name);
            }
            ExprKind::Member { base, arrow: false, .. } => self.write(*base),
            _ => {
                self.own.writes_through_pointer = true;
                self.expression(target);
            }
        }
    }
}

impl<'a> Visit<'a> for Search<'a> {
    fn ast(&self) -> &'a TranslationUnit {
        self.ast
    }

    fn asm(&mut self, _: &Asm) {
        self.own.anything = true;
    }

    fn expression(&mut self, id: ExprId) {
        match &self.ast[id].kind {
            ExprKind::Name(name) if !self.locals.contains(name) => _ = self.own.reads.insert(self.name(*name)),
            ExprKind::Name(_) => {}
            ExprKind::Assign { target, value, .. } => {
                self.write(*target);
                self.expression(*value);
            }
            ExprKind::Unary { op, operand } if is_step(*op) => self.write(*operand),
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => {
                if !matches!(self.ast[*operand].kind, ExprKind::Name(_)) {
                    self.expression(*operand);
                }
            }
            ExprKind::Unary { op: UnaryOp::Dereference, .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { arrow: true, .. } => {
                self.own.reads_through_pointer = true;
                self.children(id);
            }
            ExprKind::Call { callee, arguments } => {
                match self.ast[*callee].kind {
                    ExprKind::Name(name) if !self.locals.contains(&name) => {
                        self.called.push(self.ast.name(name).to_owned());
                    }
                    _ => self.own.anything = true,
                }
                arguments.iter().for_each(|argument| self.expression(*argument));
            }
            _ => self.children(id),
        }
    }
}

pub fn is_step(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement)
}

/// The expressions that an expression evaluates, and the bodies of statement expressions.
pub fn parts_of(ast: &TranslationUnit, id: ExprId, parts: &mut Vec<ExprId>, bodies: &mut Vec<StmtId>) {
    match &ast[id].kind {
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => parts.push(*operand),
        ExprKind::Binary { left, right, .. } | ExprKind::Comma { left, right } => parts.extend([*left, *right]),
        ExprKind::Assign { target: left, value: right, .. } | ExprKind::Index { base: left, index: right } => {
            parts.extend([*left, *right]);
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            parts.push(*condition);
            parts.extend(then.iter().chain([otherwise]));
        }
        ExprKind::Choose { condition, then, otherwise } => parts.extend([*condition, *then, *otherwise]),
        ExprKind::CompoundLiteral { initializer, .. } => {
            initializer.items.iter().for_each(|item| initializer_parts(&item.value, parts));
        }
        ExprKind::Call { callee, arguments } => {
            parts.push(*callee);
            parts.extend(arguments);
        }
        ExprKind::Member { base, .. } => parts.push(*base),
        ExprKind::Generic { associations, .. } => parts.extend(associations.iter().map(|a| a.value)),
        ExprKind::Statement(body) => bodies.push(*body),
        ExprKind::VaArg { list, .. } => parts.push(*list),
        _ => {}
    }
}

fn initializer_parts(initializer: &Initializer, parts: &mut Vec<ExprId>) {
    match initializer {
        Initializer::Expr(expr) => parts.push(*expr),
        Initializer::List(list) => list.items.iter().for_each(|item| initializer_parts(&item.value, parts)),
    }
}
