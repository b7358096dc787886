//! Declaration specifiers: storage class, qualifiers, attributes and the words that name a type (C11 6.7).

use base::Span;

use super::scopes::IdentifierMeaning;
use super::{Parsed, Parser};
use crate::ast::{
    Alignment, Attribute, AttributeKind, BasicType, Qualifiers, Specifiers, StorageClass, TypeExprId, TypeExprKind,
};
use crate::token::TokenKind;

/// The type keywords seen so far: C allows them in any order and mixed with everything else.
#[derive(Default)]
struct TypeWords {
    basic: Option<BasicType>,
    longs: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
}

impl TypeWords {
    fn is_empty(&self) -> bool {
        self.basic.is_none() && self.longs == 0 && !(self.short || self.signed || self.unsigned || self.complex)
    }

    /// Nothing but perhaps `_Complex`, so that a built-in type name may follow.
    fn awaits_type(&self) -> bool {
        self.basic.is_none() && self.longs == 0 && !(self.short || self.signed || self.unsigned)
    }

    fn resolve(&self) -> Option<BasicType> {
        use BasicType::*;
        let basic = match (self.basic, self.longs, self.short, self.signed, self.unsigned) {
            (Some(Char), 0, false, false, false) => Char,
            (Some(Char), 0, false, true, false) => SignedChar,
            (Some(Char), 0, false, false, true) => UnsignedChar,
            (None | Some(Int), 0, true, _, false) => Short,
            (None | Some(Int), 0, true, false, true) => UnsignedShort,
            (None | Some(Int), 1, false, _, false) => Long,
            (None | Some(Int), 1, false, false, true) => UnsignedLong,
            (None | Some(Int), 2, false, _, false) => LongLong,
            (None | Some(Int), 2, false, false, true) => UnsignedLongLong,
            (None | Some(Int), 0, false, false, true) => UnsignedInt,
            (Some(Int), 0, false, _, false) | (None, 0, false, true, false) => Int,
            (Some(Int128), 0, false, _, false) => Int128,
            (Some(Int128), 0, false, false, true) => UnsignedInt128,
            (Some(Double), 1, false, false, false) => LongDouble,
            // GNU: `_Complex` alone is `_Complex double`.
            (None, 0, false, false, false) if self.complex => Double,
            (Some(other), 0, false, false, false) => other,
            _ => return None,
        };
        if !self.complex {
            return Some(basic);
        }
        match basic {
            Float => Some(FloatComplex),
            Double => Some(DoubleComplex),
            LongDouble => Some(LongDoubleComplex),
            Void | Bool | VaList => None,
            _ => Some(OtherComplex),
        }
    }
}

/// Specifiers under construction.
struct Collector {
    start: Span,
    storage: Option<StorageClass>,
    thread_local: bool,
    inline: bool,
    noreturn: bool,
    qualifiers: Qualifiers,
    alignment: Vec<Alignment>,
    attributes: Vec<Attribute>,
    words: TypeWords,
    /// A type named by something else than words.
    named: Option<TypeExprKind>,
}

impl Collector {
    fn has_type(&self) -> bool {
        self.named.is_some() || !self.words.is_empty()
    }
}

impl Parser<'_> {
    /// Whether the token `distance` ahead begins a type name.
    pub(super) fn starts_type(&self, distance: usize) -> bool {
        use TokenKind::*;
        let distance = self.past_extension(distance);
        match self.kind_ahead(distance) {
            Void | CharKeyword | Short | Int | Long | Float | Double | Signed | Unsigned | Bool | Complex | Int128
            | Struct | Union | Enum | Typeof | Atomic | AutoType | Const | Volatile | Restrict | Attribute => true,
            Identifier => self.scopes.names_type(self.tokens[self.position + distance].symbol),
            _ => false,
        }
    }

    /// Whether the token `distance` ahead begins a declaration.
    pub(super) fn starts_declaration(&self, distance: usize) -> bool {
        use TokenKind::*;
        let distance = self.past_extension(distance);
        match self.kind_ahead(distance) {
            Typedef | Extern | Static | Auto | Register | Inline | Noreturn | ThreadLocal | Alignas => true,
            LeftBracket => self.kind_ahead(distance + 1) == LeftBracket,
            _ => self.starts_type(distance),
        }
    }

    fn past_extension(&self, mut distance: usize) -> usize {
        while self.kind_ahead(distance) == TokenKind::Extension {
            distance += 1;
        }
        distance
    }

    /// `static const int`, and so on. Without any type it is `int`.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let mut collector = Collector {
            start: self.span(),
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            qualifiers: Qualifiers::default(),
            alignment: Vec::new(),
            attributes: Vec::new(),
            words: TypeWords::default(),
            named: None,
        };
        while self.specifier(&mut collector)? {}
        self.finish_specifiers(collector)
    }

    /// Specifiers of a type name or struct member, where no storage class may stand.
    pub(super) fn specifiers_without_storage(&mut self, context: &str) -> Parsed<Specifiers> {
        let specifiers = self.specifiers()?;
        if specifiers.storage.is_some() || specifiers.thread_local || specifiers.inline || specifiers.noreturn {
            self.report_error(specifiers.span, format!("a storage class or `inline` is not allowed in {context}"));
        }
        Ok(specifiers)
    }

    /// Takes one specifier; false where there is none.
    fn specifier(&mut self, into: &mut Collector) -> Parsed<bool> {
        use TokenKind::*;
        match self.kind() {
            Typedef | Extern | Static | Auto | Register => self.storage_class(into)?,
            ThreadLocal => into.thread_local = true,
            Inline => into.inline = true,
            Noreturn => into.noreturn = true,
            Extension => {}
            Const => into.qualifiers.constant = true,
            Volatile => into.qualifiers.volatile = true,
            Restrict => into.qualifiers.restrict = true,
            Atomic if self.kind_ahead(1) != LeftParen || into.has_type() => into.qualifiers.atomic = true,
            Alignas => return self.alignas(into).map(|()| true),
            Attribute | LeftBracket if self.at_attribute() => {
                return self.attributes(&mut into.attributes).map(|()| true);
            }
            Void | CharKeyword | Short | Int | Long | Float | Double | Signed | Unsigned | Bool | Complex | Int128 => {
                self.type_word(into)?;
            }
            Struct | Union | Enum | Typeof | Atomic | AutoType => return self.type_specifier(into).map(|()| true),
            Identifier => return Ok(self.type_name_specifier(into)),
            _ => return Ok(false),
        }
        self.advance();
        Ok(true)
    }

    fn storage_class(&mut self, into: &mut Collector) -> Parsed<()> {
        let class = match self.kind() {
            TokenKind::Typedef => StorageClass::Typedef,
            TokenKind::Extern => StorageClass::Extern,
            TokenKind::Static => StorageClass::Static,
            TokenKind::Auto => StorageClass::Auto,
            _ => StorageClass::Register,
        };
        if into.storage.is_some_and(|earlier| earlier != class) {
            return self.error("more than one storage class in this declaration");
        }
        into.storage = Some(class);
        Ok(())
    }

    fn type_word(&mut self, into: &mut Collector) -> Parsed<()> {
        use TokenKind as T;
        let words = &mut into.words;
        let basic = match self.kind() {
            T::Long => {
                words.longs += 1;
                if words.longs > 2 {
                    return self.error("`long long long` is too long");
                }
                return self.check_words(into);
            }
            T::Short => {
                words.short = true;
                return self.check_words(into);
            }
            T::Signed => {
                words.signed = true;
                return self.check_words(into);
            }
            T::Unsigned => {
                words.unsigned = true;
                return self.check_words(into);
            }
            T::Complex => {
                words.complex = true;
                return self.check_words(into);
            }
            T::Void => BasicType::Void,
            T::CharKeyword => BasicType::Char,
            T::Int => BasicType::Int,
            T::Float => BasicType::Float,
            T::Double => BasicType::Double,
            T::Bool => BasicType::Bool,
            _ => BasicType::Int128,
        };
        if words.basic.replace(basic).is_some() {
            return self.two_types();
        }
        self.check_words(into)
    }

    fn check_words(&mut self, into: &Collector) -> Parsed<()> {
        if into.named.is_some() { self.two_types() } else { Ok(()) }
    }

    fn two_types<T>(&mut self) -> Parsed<T> {
        let word = self.describe_token();
        self.error(format!("{word} cannot follow here: the declaration already has a type"))
    }

    /// A typedef name, unless the type is already known: then the identifier is what is being declared.
    fn type_name_specifier(&mut self, into: &mut Collector) -> bool {
        let symbol = self.token().symbol;
        match self.scopes.meaning(symbol) {
            IdentifierMeaning::Typedef if !into.has_type() => into.named = Some(TypeExprKind::Typedef(symbol)),
            IdentifierMeaning::Builtin(basic) if into.named.is_none() && into.words.awaits_type() => {
                into.words.basic = Some(basic);
            }
            _ => return false,
        }
        self.advance();
        true
    }

    fn type_specifier(&mut self, into: &mut Collector) -> Parsed<()> {
        if into.has_type() {
            return self.two_types();
        }
        into.named = Some(match self.kind() {
            TokenKind::Enum => TypeExprKind::Enum(self.enum_specifier()?),
            TokenKind::Typeof => self.typeof_specifier()?,
            TokenKind::Atomic => self.atomic_specifier()?,
            TokenKind::AutoType => {
                self.advance();
                TypeExprKind::AutoType
            }
            _ => TypeExprKind::Record(self.record_specifier()?),
        });
        Ok(())
    }

    fn typeof_specifier(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `typeof`")?;
        let kind = if self.starts_type(0) {
            TypeExprKind::TypeofType(self.type_name()?)
        } else {
            TypeExprKind::TypeofExpr(self.expression()?)
        };
        self.expect(TokenKind::RightParen, "after the operand of `typeof`")?;
        Ok(kind)
    }

    fn atomic_specifier(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `_Atomic`")?;
        let inner = self.type_name()?;
        self.expect(TokenKind::RightParen, "after the type of `_Atomic`")?;
        Ok(TypeExprKind::Atomic(inner))
    }

    fn alignas(&mut self, into: &mut Collector) -> Parsed<()> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `_Alignas`")?;
        into.alignment.push(if self.starts_type(0) {
            Alignment::Type(self.type_name()?)
        } else {
            Alignment::Expr(self.assignment_expression()?)
        });
        self.expect(TokenKind::RightParen, "after the operand of `_Alignas`")
    }

    fn finish_specifiers(&mut self, collected: Collector) -> Parsed<Specifiers> {
        let span = self.span_from(collected.start);
        let implicit_int = !collected.has_type();
        let kind = match collected.named {
            Some(kind) => kind,
            None if implicit_int => TypeExprKind::Basic(BasicType::Int),
            None => match collected.words.resolve() {
                Some(basic) => TypeExprKind::Basic(basic),
                None => return self.error_at(span, "these type names cannot be combined"),
            },
        };
        let ty = self.new_type(span, kind);
        self.unit.types[ty].qualifiers = collected.qualifiers;
        self.grow()?;
        Ok(Specifiers {
            span,
            storage: collected.storage,
            thread_local: collected.thread_local,
            inline: collected.inline,
            noreturn: collected.noreturn,
            alignment: collected.alignment,
            attributes: collected.attributes,
            ty,
            implicit_int,
        })
    }

    /// Keeps the attributes that change a type where no declaration carries them.
    pub(super) fn attributed_type(&mut self, ty: TypeExprId, mut attributes: Vec<Attribute>) -> TypeExprId {
        use AttributeKind::{Aligned, Mode, VectorSize};
        attributes.retain(|attribute| matches!(attribute.kind, Mode(_) | VectorSize(_) | Aligned(_)));
        if attributes.is_empty() {
            return ty;
        }
        let span = self.unit.types[ty].span;
        self.new_type(span, TypeExprKind::Attributed { inner: ty, attributes })
    }
}
