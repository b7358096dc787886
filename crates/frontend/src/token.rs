//! The words of C: what the lexer hands to the parser, one [`Token`] each.

use base::Span;
use logos::Logos;

use crate::symbol::Symbol;

/// One token with its place in the user's file and in the text that was lexed.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// The interned name of an [`TokenKind::Identifier`]; otherwise meaningless.
    pub symbol: Symbol,
    /// Where the token's text begins and ends, in bytes of the lexed text.
    pub start: u32,
    pub end: u32,
    pub span: Span,
}

impl Token {
    /// The bytes of this token in the text it was lexed from.
    pub fn text<'a>(&self, source: &'a [u8]) -> &'a [u8] {
        &source[self.start as usize..self.end as usize]
    }
}

/// The vocabulary. GNU spellings of a keyword (`__const`, `__const__`) are the keyword.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(utf8 = false)]
#[logos(skip r"[ \t\x0b\x0c\r]+")]
pub enum TokenKind {
    // Only between lexer and logos; the parser never sees the next four.
    #[regex(r"(\\\r?)?\n")]
    Newline,
    #[token("/*")]
    BlockComment,
    #[token("//")]
    LineComment,
    #[token("#")]
    #[token("%:")]
    Hash,

    #[regex(r"([A-Za-z_$\u{80}-\u{10ffff}]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})([A-Za-z0-9_$\u{80}-\u{10ffff}]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*")]
    Identifier,
    /// A preprocessing number (C11 6.4.8): its decoder decides whether it is a valid constant.
    #[regex(r"\.?[0-9]([eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_$.])*")]
    Number,
    #[regex(r#"(?s-u:(L|u8|u|U)?'([^'\\\n]|\\(\r\n|.))*')"#)]
    Char,
    #[regex(r#"(?s-u:(L|u8|u|U)?"([^"\\\n]|\\(\r\n|.))*")"#)]
    String,

    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    #[token("<:")]
    LeftBracket,
    #[token("]")]
    #[token(":>")]
    RightBracket,
    #[token("{")]
    #[token("<%")]
    LeftBrace,
    #[token("}")]
    #[token("%>")]
    RightBrace,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("...")]
    Ellipsis,
    #[token("=")]
    Assign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("%=")]
    PercentAssign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("<<=")]
    ShiftLeftAssign,
    #[token(">>=")]
    ShiftRightAssign,
    #[token("&=")]
    AmpersandAssign,
    #[token("^=")]
    CaretAssign,
    #[token("|=")]
    PipeAssign,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Ampersand,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("&&")]
    AmpersandAmpersand,
    #[token("||")]
    PipePipe,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    BangEqual,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,

    #[token("auto")]
    Auto,
    #[token("break")]
    Break,
    #[token("case")]
    Case,
    #[token("char")]
    CharKeyword,
    #[token("const")]
    #[token("__const")]
    #[token("__const__")]
    Const,
    #[token("continue")]
    Continue,
    #[token("default")]
    Default,
    #[token("do")]
    Do,
    #[token("double")]
    Double,
    #[token("else")]
    Else,
    #[token("enum")]
    Enum,
    #[token("extern")]
    Extern,
    #[token("float")]
    Float,
    #[token("for")]
    For,
    #[token("goto")]
    Goto,
    #[token("if")]
    If,
    #[token("inline")]
    #[token("__inline")]
    #[token("__inline__")]
    Inline,
    #[token("int")]
    Int,
    #[token("long")]
    Long,
    #[token("register")]
    Register,
    #[token("restrict")]
    #[token("__restrict")]
    #[token("__restrict__")]
    Restrict,
    #[token("return")]
    Return,
    #[token("short")]
    Short,
    #[token("signed")]
    #[token("__signed")]
    #[token("__signed__")]
    Signed,
    #[token("sizeof")]
    Sizeof,
    #[token("static")]
    Static,
    #[token("struct")]
    Struct,
    #[token("switch")]
    Switch,
    #[token("typedef")]
    Typedef,
    #[token("union")]
    Union,
    #[token("unsigned")]
    #[token("__unsigned")]
    #[token("__unsigned__")]
    Unsigned,
    #[token("void")]
    Void,
    #[token("volatile")]
    #[token("__volatile")]
    #[token("__volatile__")]
    Volatile,
    #[token("while")]
    While,
    #[token("_Alignas")]
    Alignas,
    #[token("_Alignof")]
    #[token("__alignof")]
    #[token("__alignof__")]
    Alignof,
    #[token("_Atomic")]
    Atomic,
    #[token("_Bool")]
    Bool,
    #[token("_Complex")]
    #[token("__complex")]
    #[token("__complex__")]
    Complex,
    #[token("_Generic")]
    Generic,
    #[token("_Noreturn")]
    Noreturn,
    #[token("_Static_assert")]
    StaticAssert,
    #[token("_Thread_local")]
    #[token("__thread")]
    ThreadLocal,
    #[token("asm")]
    #[token("__asm")]
    #[token("__asm__")]
    Asm,
    #[token("typeof")]
    #[token("__typeof")]
    #[token("__typeof__")]
    Typeof,
    #[token("__attribute")]
    #[token("__attribute__")]
    Attribute,
    #[token("__extension__")]
    Extension,
    #[token("__real")]
    #[token("__real__")]
    Real,
    #[token("__imag")]
    #[token("__imag__")]
    Imaginary,
    #[token("__label__")]
    LocalLabel,
    #[token("__auto_type")]
    AutoType,
    #[token("__int128")]
    #[token("__int128__")]
    Int128,
    #[token("__builtin_offsetof")]
    Offsetof,
    #[token("__builtin_va_arg")]
    VaArg,
    #[token("__builtin_types_compatible_p")]
    TypesCompatible,
    #[token("__builtin_choose_expr")]
    ChooseExpr,

    EndOfFile,
}

impl TokenKind {
    /// The usual spelling of a token that has only one meaning; `None` for names, constants and the end.
    pub fn spelling(self) -> Option<&'static str> {
        use TokenKind::*;
        Some(match self {
            Newline | BlockComment | LineComment | Identifier | Number | Char | String | EndOfFile => return None,
            Hash => "#",
            LeftParen => "(",
            RightParen => ")",
            LeftBracket => "[",
            RightBracket => "]",
            LeftBrace => "{",
            RightBrace => "}",
            Semicolon => ";",
            Comma => ",",
            Colon => ":",
            Question => "?",
            Dot => ".",
            Arrow => "->",
            Ellipsis => "...",
            Assign => "=",
            StarAssign => "*=",
            SlashAssign => "/=",
            PercentAssign => "%=",
            PlusAssign => "+=",
            MinusAssign => "-=",
            ShiftLeftAssign => "<<=",
            ShiftRightAssign => ">>=",
            AmpersandAssign => "&=",
            CaretAssign => "^=",
            PipeAssign => "|=",
            PlusPlus => "++",
            MinusMinus => "--",
            Plus => "+",
            Minus => "-",
            Star => "*",
            Slash => "/",
            Percent => "%",
            Ampersand => "&",
            Pipe => "|",
            Caret => "^",
            Tilde => "~",
            Bang => "!",
            AmpersandAmpersand => "&&",
            PipePipe => "||",
            EqualEqual => "==",
            BangEqual => "!=",
            Less => "<",
            Greater => ">",
            LessEqual => "<=",
            GreaterEqual => ">=",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Auto => "auto",
            Break => "break",
            Case => "case",
            CharKeyword => "char",
            Const => "const",
            Continue => "continue",
            Default => "default",
            Do => "do",
            Double => "double",
            Else => "else",
            Enum => "enum",
            Extern => "extern",
            Float => "float",
            For => "for",
            Goto => "goto",
            If => "if",
            Inline => "inline",
            Int => "int",
            Long => "long",
            Register => "register",
            Restrict => "restrict",
            Return => "return",
            Short => "short",
            Signed => "signed",
            Sizeof => "sizeof",
            Static => "static",
            Struct => "struct",
            Switch => "switch",
            Typedef => "typedef",
            Union => "union",
            Unsigned => "unsigned",
            Void => "void",
            Volatile => "volatile",
            While => "while",
            Alignas => "_Alignas",
            Alignof => "_Alignof",
            Atomic => "_Atomic",
            Bool => "_Bool",
            Complex => "_Complex",
            Generic => "_Generic",
            Noreturn => "_Noreturn",
            StaticAssert => "_Static_assert",
            ThreadLocal => "_Thread_local",
            Asm => "asm",
            Typeof => "typeof",
            Attribute => "__attribute__",
            Extension => "__extension__",
            Real => "__real__",
            Imaginary => "__imag__",
            LocalLabel => "__label__",
            AutoType => "__auto_type",
            Int128 => "__int128",
            Offsetof => "__builtin_offsetof",
            VaArg => "__builtin_va_arg",
            TypesCompatible => "__builtin_types_compatible_p",
            ChooseExpr => "__builtin_choose_expr",
        })
    }
}
