//! The syntax tree of one translation unit: C11 with the GNU extensions found in preprocessed code.
//!
//! Nodes live in dense arenas inside [`TranslationUnit`] and refer to each other by typed ids, so dropping a tree never
//! recurses; `unit[id]` gives the node. Children always have smaller ids than the node that owns them.
//!
//! What the parser guarantees to later passes:
//!
//! * Declarators are already resolved into [`TypeExpr`] trees, read from the outside in: `int *a[3]` is
//!   array of 3 of pointer to `int`. A specifier shared by several declarators (`struct {…} a, *b`) is *one* node with
//!   one id: resolve each [`TypeExprId`], [`RecordId`] and [`EnumId`] once and remember the result.
//! * Names are not bound. The parser tracks scopes only to tell typedef names from other identifiers.
//! * A tree that was parsed without an error diagnostic has no holes: there are no error nodes.
//! * Nesting is bounded: at most [`MAX_NESTING`] syntactic levels, and no path from an item to a leaf visits more than
//!   [`MAX_HEIGHT`] nodes (long chains such as `a + a + …`, `a[0][0]…` and `else if` lean to one side without being
//!   nested in the source). A recursive pass is therefore safe on a stack of [`crate::deep_stack::STACK_SIZE`].

use std::ops::Index;

use base::ids::IdVec;
use base::{FileId, Span, define_id};

use crate::dialect::Dialect;
use crate::symbol::{Interner, Symbol};

/// The deepest nesting of parentheses, operators, statements, declarators and initialisers that is accepted.
pub const MAX_NESTING: u32 = 1_000;

/// The longest path from an item of a translation unit to a leaf, counted in nodes.
pub const MAX_HEIGHT: u32 = 4_000;

define_id!(
    /// An expression.
    ExprId,
    "expr"
);
define_id!(
    /// A statement.
    StmtId,
    "stmt"
);
define_id!(
    /// A type as written.
    TypeExprId,
    "type"
);
define_id!(
    /// One occurrence of a `struct` or `union` specifier.
    RecordId,
    "record"
);
define_id!(
    /// One occurrence of an `enum` specifier.
    EnumId,
    "enum"
);

/// Everything one source file says after preprocessing.
#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    /// External declarations in source order.
    pub items: Vec<Item>,
    pub exprs: IdVec<ExprId, Expr>,
    pub stmts: IdVec<StmtId, Stmt>,
    pub types: IdVec<TypeExprId, TypeExpr>,
    pub records: IdVec<RecordId, RecordSpecifier>,
    pub enums: IdVec<EnumId, EnumSpecifier>,
    pub names: Interner,
    /// Names that `#pragma weak` lists.
    pub weak_names: Vec<String>,
    /// Names that `#pragma weak` makes other names, each with the one it stands for.
    pub weak_aliases: Vec<(String, String)>,
    /// Names that `#pragma redefine_extname` replaces for the linker, each with the one that it gets.
    pub linker_names: Vec<(String, String)>,
    /// Which C it is written in.
    pub dialect: Dialect,
    /// The file the user named.
    pub file: Option<FileId>,
}

impl TranslationUnit {
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.name(symbol)
    }
}

macro_rules! index_by {
    ($($id:ty => $field:ident: $node:ty),* $(,)?) => {
        $(impl Index<$id> for TranslationUnit {
            type Output = $node;
            fn index(&self, id: $id) -> &$node {
                &self.$field[id]
            }
        })*
    };
}

index_by!(
    ExprId => exprs: Expr,
    StmtId => stmts: Stmt,
    TypeExprId => types: TypeExpr,
    RecordId => records: RecordSpecifier,
    EnumId => enums: EnumSpecifier,
);

// ---------------------------------------------------------------------------------------------------------------------
// Declarations

#[derive(Clone, Debug)]
pub enum Item {
    Declaration(Declaration),
    Function(FunctionDefinition),
    StaticAssert(StaticAssert),
    /// File-scope `asm("…");`.
    Asm(Asm),
}

/// `specifiers declarator = initializer, … ;`. No declarators: `struct S {…};`, `enum {…};`.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub span: Span,
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
}

/// What stands before the declarators and holds for all of them.
#[derive(Clone, Debug)]
pub struct Specifiers {
    pub span: Span,
    pub storage: Option<StorageClass>,
    /// `_Thread_local` or `__thread`.
    pub thread_local: bool,
    pub inline: bool,
    /// `_Noreturn`; the attribute stands in `attributes`.
    pub noreturn: bool,
    pub alignment: Vec<Alignment>,
    pub attributes: Vec<Attribute>,
    /// The type that the specifiers name; the declarators' types are built around this one node.
    pub ty: TypeExprId,
    /// No type was written (`static x;`): `ty` is `int`.
    pub implicit_int: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// `_Alignas(type)` or `_Alignas(expression)`.
#[derive(Clone, Copy, Debug)]
pub enum Alignment {
    Type(TypeExprId),
    Expr(ExprId),
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub initializer: Option<Initializer>,
}

/// One declared name with its complete type.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name's place.
    pub span: Span,
    pub name: Symbol,
    pub ty: TypeExprId,
    /// `asm("name")` after the declarator.
    pub asm_label: Option<Box<[u8]>>,
    /// Attributes of this name only; those of all names of the declaration stand in [`Specifiers::attributes`].
    pub attributes: Vec<Attribute>,
}

/// `declarator.ty` is always a [`TypeExprKind::Function`].
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// The name's place.
    pub span: Span,
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    /// The declarations between a K&R parameter list and the body.
    pub parameter_declarations: Vec<Declaration>,
    /// A [`StmtKind::Compound`].
    pub body: StmtId,
}

/// `_Static_assert(condition, "message");`, the message being optional.
#[derive(Clone, Debug)]
pub struct StaticAssert {
    pub span: Span,
    pub condition: ExprId,
    pub message: Option<Box<[u8]>>,
}

/// A GNU attribute (or C2x `[[…]]`), with leading and trailing `__` of its name removed.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub span: Span,
    pub kind: AttributeKind,
}

#[derive(Clone, Debug)]
pub enum AttributeKind {
    /// GNU `weakref("target")`: the target under another name, or null where nothing defines it.
    WeakRef(Box<[u8]>),
    /// `aligned(n)`; without an argument the target's largest alignment.
    Aligned(Option<ExprId>),
    Packed,
    Noreturn,
    /// `mode(DI)` and so on, `__` removed.
    Mode(Symbol),
    Constructor(Option<ExprId>),
    Destructor(Option<ExprId>),
    /// `cleanup(function)`.
    Cleanup(Symbol),
    VectorSize(ExprId),
    TransparentUnion,
    Weak,
    /// `alias("target")`.
    Alias(Box<[u8]>),
    GnuInline,
    /// `optimize`, `target` and the pragmas of that name: options of the compiler, as on its command line.
    Options(Vec<String>),
    /// Every attribute that does not change what a program does, and those unknown to us; arguments dropped.
    Other(Symbol),
}

// ---------------------------------------------------------------------------------------------------------------------
// Types

#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub span: Span,
    pub qualifiers: Qualifiers,
    pub kind: TypeExprKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Qualifiers {
    pub constant: bool,
    pub volatile: bool,
    pub restrict: bool,
    /// The qualifier `_Atomic`; for the specifier `_Atomic(type)` see [`TypeExprKind::Atomic`].
    pub atomic: bool,
}

impl Qualifiers {
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub fn union(self, other: Self) -> Self {
        Self {
            constant: self.constant | other.constant,
            volatile: self.volatile | other.volatile,
            restrict: self.restrict | other.restrict,
            atomic: self.atomic | other.atomic,
        }
    }
}

#[derive(Clone, Debug)]
pub enum TypeExprKind {
    Basic(BasicType),
    /// A typedef name in scope at this place.
    Typedef(Symbol),
    Record(RecordId),
    Enum(EnumId),
    TypeofExpr(ExprId),
    TypeofType(TypeExprId),
    /// `_Atomic(type)`.
    Atomic(TypeExprId),
    /// `__auto_type`: the type of the initialiser.
    AutoType,
    Pointer(TypeExprId),
    Array {
        element: TypeExprId,
        size: ArraySize,
        /// Qualifiers inside the brackets of a parameter: those of the pointer it becomes.
        qualifiers: Qualifiers,
        /// `[static n]` in a parameter.
        at_least: bool,
    },
    Function {
        result: TypeExprId,
        parameters: Parameters,
    },
    /// Attributes that change a type (`mode`, `vector_size`, `aligned`) inside a type name or a parameter;
    /// those of declarations stand in [`Specifiers::attributes`].
    Attributed {
        inner: TypeExprId,
        attributes: Vec<Attribute>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicType {
    Void,
    Bool,
    /// Plain `char`, a type of its own.
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    /// `_Float16`, `__fp16`, `__bf16`.
    Float16,
    Float32,
    Float64,
    Float32x,
    Float64x,
    /// `_Float128` and `__float128`.
    Float128,
    Decimal32,
    Decimal64,
    Decimal128,
    /// `_Complex` of a floating type: `FloatComplex` and so on; of an integer or extended type: `OtherComplex`.
    FloatComplex,
    DoubleComplex,
    LongDoubleComplex,
    OtherComplex,
    /// `__builtin_va_list`.
    VaList,
}

#[derive(Clone, Copy, Debug)]
pub enum ArraySize {
    /// `[]`.
    Unspecified,
    /// `[*]`, in prototypes only.
    Star,
    /// `[n]`; a variable length array if `n` is not constant.
    Expr(ExprId),
}

#[derive(Clone, Debug)]
pub enum Parameters {
    /// `()`: nothing is known about the arguments.
    Unspecified,
    /// `(int, char *p, ...)`; `(void)` has no parameters and is not variadic. A lone unnamed parameter whose type is a
    /// typedef of `void` is left for the type checker to recognise.
    Prototype { parameters: Vec<Parameter>, variadic: bool },
    /// K&R `(a, b)`.
    Identifiers(Vec<(Symbol, Span)>),
}

#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name's place, or the type's if there is no name.
    pub span: Span,
    pub name: Option<Symbol>,
    /// As written: arrays and functions are not adjusted to pointers yet.
    pub ty: TypeExprId,
    pub attributes: Vec<Attribute>,
}

/// `struct tag`, `struct tag {…}`, `struct {…}` and the same with `union`.
#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    pub span: Span,
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    /// `None` where the members are not given here.
    pub members: Option<Vec<Member>>,
    pub attributes: Vec<Attribute>,
    /// The greatest alignment a member may have, where `#pragma pack(n)` is in force.
    pub pack: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub enum Member {
    Field(FieldDef),
    StaticAssert(StaticAssert),
}

/// One member: `int a, b : 3;` makes two.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// The name's place, or the type's if there is no name.
    pub span: Span,
    /// `None` with a bit width: padding. `None` without: an anonymous struct or union if `ty` is a record without a tag;
    /// otherwise (`struct tag {…};` inside a struct) it declares a tag but no member.
    pub name: Option<Symbol>,
    pub ty: TypeExprId,
    pub bit_width: Option<ExprId>,
    pub alignment: Vec<Alignment>,
    /// Those of the specifiers followed by those of the declarator.
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    pub span: Span,
    pub tag: Option<Symbol>,
    /// `None` where the enumerators are not given here.
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub span: Span,
    pub name: Symbol,
    pub value: Option<ExprId>,
}

// ---------------------------------------------------------------------------------------------------------------------
// Initialisers

#[derive(Clone, Debug)]
pub enum Initializer {
    Expr(ExprId),
    List(InitializerList),
}

/// `{ … }`, possibly empty (GNU).
#[derive(Clone, Debug)]
pub struct InitializerList {
    pub span: Span,
    pub items: Vec<InitializerItem>,
}

#[derive(Clone, Debug)]
pub struct InitializerItem {
    /// `.a[2] =`, or the old `a:`; empty for a positional item.
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Clone, Debug)]
pub struct Designator {
    pub span: Span,
    pub kind: DesignatorKind,
}

#[derive(Clone, Copy, Debug)]
pub enum DesignatorKind {
    Field(Symbol),
    Index(ExprId),
    /// GNU `[first ... last]`.
    Range(ExprId, ExprId),
}

// ---------------------------------------------------------------------------------------------------------------------
// Statements

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`.
    Empty,
    Expr(ExprId),
    Compound(CompoundStmt),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// A pragma that gives the program another meaning, which is not known.
    UnsupportedPragma(String),
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    Switch {
        scrutinee: ExprId,
        body: StmtId,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
    },
    For {
        init: ForInit,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// All labels that directly precede one statement, in source order. A declaration may follow (C2x); its scope is
    /// the enclosing block. A label at the end of a block labels an empty statement.
    Labeled {
        labels: Vec<StmtLabel>,
        body: StmtId,
    },
    Goto(Symbol),
    /// GNU `goto *expression;`.
    ComputedGoto(ExprId),
    Continue,
    Break,
    Return(Option<ExprId>),
    Asm(Asm),
    /// GNU `__label__ a, b;` at the start of a block.
    LocalLabels(Vec<Symbol>),
}

#[derive(Clone, Debug)]
pub struct CompoundStmt {
    pub items: Vec<StmtId>,
    /// The closing brace.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub enum ForInit {
    None,
    Expr(ExprId),
    Declaration(Declaration),
}

#[derive(Clone, Debug)]
pub struct StmtLabel {
    pub span: Span,
    pub kind: LabelKind,
}

#[derive(Clone, Copy, Debug)]
pub enum LabelKind {
    Name(Symbol),
    Case(ExprId),
    /// GNU `case first ... last:`.
    CaseRange(ExprId, ExprId),
    Default,
}

/// `asm` as a statement or at file scope.
#[derive(Clone, Debug)]
pub struct Asm {
    pub span: Span,
    pub volatile: bool,
    pub template: Box<[u8]>,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<Box<[u8]>>,
    /// Targets of `asm goto`.
    pub labels: Vec<Symbol>,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub span: Span,
    pub name: Option<Symbol>,
    pub constraint: Box<[u8]>,
    pub value: ExprId,
}

// ---------------------------------------------------------------------------------------------------------------------
// Expressions

#[derive(Clone, Debug)]
pub struct Expr {
    /// From the first token to the last if they stand on one line; for a binary operator, call, index or member access
    /// likewise from the left operand on.
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A variable, function or enumerator; also `__func__` and its GNU variants, and `__builtin_…` functions that are
    /// called like ordinary ones.
    Name(Symbol),
    Integer(IntegerConstant),
    Float(FloatConstant),
    Char(CharConstant),
    String(StringLiteral),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    },
    /// `target = value`, or `target op= value`.
    Assign {
        op: Option<BinaryOp>,
        target: ExprId,
        value: ExprId,
    },
    Comma {
        left: ExprId,
        right: ExprId,
    },
    /// `condition ? then : otherwise`; without `then` GNU's `condition ?: otherwise`.
    Conditional {
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
    },
    Cast {
        ty: TypeExprId,
        operand: ExprId,
    },
    CompoundLiteral {
        ty: TypeExprId,
        initializer: InitializerList,
    },
    SizeofExpr(ExprId),
    SizeofType(TypeExprId),
    AlignofExpr(ExprId),
    /// `_Alignof (type)`, or with `preferred` `__alignof__ (type)`, which counts what an object on its own is aligned to.
    AlignofType {
        ty: TypeExprId,
        preferred: bool,
    },
    Call {
        callee: ExprId,
        arguments: Vec<ExprId>,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// `base.field`, or `base->field` with `arrow`.
    Member {
        base: ExprId,
        field: Symbol,
        arrow: bool,
    },
    Generic {
        control: ExprId,
        associations: Vec<GenericAssociation>,
    },
    /// GNU `({ … })`; the statement is a [`StmtKind::Compound`].
    Statement(StmtId),
    /// GNU `&&label`.
    LabelAddress(Symbol),
    /// `__builtin_offsetof(type, a.b[2])`; the first designator is a field, ranges do not occur.
    Offsetof {
        ty: TypeExprId,
        path: Vec<Designator>,
    },
    /// `__builtin_va_arg(list, type)`.
    VaArg {
        list: ExprId,
        ty: TypeExprId,
    },
    /// `__builtin_types_compatible_p(left, right)`.
    TypesCompatible {
        left: TypeExprId,
        right: TypeExprId,
    },
    /// `__builtin_choose_expr(condition, then, otherwise)`.
    Choose {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Dereference,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `__real__`.
    Real,
    /// `__imag__`.
    Imaginary,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual)
    }
}

#[derive(Clone, Debug)]
pub struct GenericAssociation {
    pub span: Span,
    /// `None` for `default`.
    pub ty: Option<TypeExprId>,
    pub value: ExprId,
}

/// An integer constant as written; its type follows from value, radix, suffix and data model (C11 6.4.4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerConstant {
    pub value: u128,
    pub radix: Radix,
    /// Suffix `u`.
    pub unsigned: bool,
    pub length: IntegerLength,
    /// GNU suffix `i` or `j`.
    pub imaginary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Radix {
    Binary,
    Octal,
    Decimal,
    Hexadecimal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntegerLength {
    Int,
    /// Suffix `l`.
    Long,
    /// Suffix `ll`.
    LongLong,
}

/// A floating constant, rounded to nearest-even from its text for both widths (rounding twice would be wrong).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatConstant {
    pub value: f64,
    /// The value of the same text as a `float`.
    pub single: f32,
    pub suffix: FloatSuffix,
    /// GNU suffix `i` or `j`.
    pub imaginary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// No suffix: `double`.
    None,
    /// `f`: `float`.
    Float,
    /// `l`: `long double`.
    Long,
    /// `f16`, `f32`, `f64`, `f32x`, `f64x`, `f128`, `q`, `w`, …: the type it names.
    Extended(BasicType),
}

/// Of type `int` if narrow, else `wchar_t`, `char16_t` or `char32_t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharConstant {
    /// Already converted to its type: `'\xff'` is -1; of several characters the value GCC gives.
    pub value: i64,
    pub encoding: LiteralEncoding,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LiteralEncoding {
    /// No prefix: `char`.
    Narrow,
    /// `u8`: `char`.
    Utf8,
    /// `L`: `wchar_t`, 32-bit signed.
    Wide,
    /// `u`: `char16_t`.
    Utf16,
    /// `U`: `char32_t`.
    Utf32,
}

/// Adjacent literals joined, escapes decoded, without the terminating zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    pub encoding: LiteralEncoding,
    pub units: StringUnits,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StringUnits {
    /// For [`LiteralEncoding::Narrow`] and [`LiteralEncoding::Utf8`].
    Bytes(Box<[u8]>),
    /// For the wide encodings: one element per `wchar_t`, `char16_t` or `char32_t`.
    Wide(Box<[u32]>),
}
