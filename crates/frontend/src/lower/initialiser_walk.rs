//! What an initialiser sets: braces, designators and brace elision (C11 6.7.9) become a list of scalars with their places.

use base::Span;
use rustc_hash::FxHashMap;

use super::queries::Queries;
use crate::ast::{
    Designator, DesignatorKind, ExprId, ExprKind, Initializer, InitializerItem, InitializerList, TranslationUnit,
};
use crate::ctype::{ArrayLength, BitRange, CType, MemberLayout, QualType, TypeId};
use crate::emit::value::{Form, Lowered};

/// An initialiser that sets more parts than this, ranges of elements written out, is refused.
const MAX_ENTRIES: usize = 1 << 21;

/// Strings are filled with zeros up to this size; what is left of a larger array is cleared on its own.
const MAX_FILLED: u64 = 1 << 12;

/// A part of an object and the expression that initialises it.
pub struct InitialiserEntry {
    pub offset: u64,
    pub ty: QualType,
    pub bits: Option<BitRange>,
    pub source: InitialiserSource,
}

#[derive(Clone)]
pub enum InitialiserSource {
    Expr(ExprId),
    /// A character array initialised by a string, cut to the array's size; what is left of the array is zero.
    Bytes(Vec<u8>),
}

/// A subobject: where it is and what it is.
#[derive(Clone, Copy)]
struct Sub {
    offset: u64,
    ty: QualType,
    bits: Option<BitRange>,
}

/// Which scalars (and whole records) an initialiser sets, in order.
pub fn entries(
    ast: &TranslationUnit,
    queries: &mut impl Queries,
    ty: QualType,
    initializer: &Initializer,
    span: Span,
) -> Lowered<Vec<InitialiserEntry>> {
    let mut walk = InitialiserWalk { ast, queries, list: Vec::new(), last_offset: 0, chosen: FxHashMap::default() };
    walk.fill(Sub { offset: 0, ty, bits: None }, initializer, span)?;
    Ok(walk.list)
}

/// A walk over an initialiser and the parts of the object, side by side.
struct InitialiserWalk<'w, Q> {
    ast: &'w TranslationUnit,
    queries: &'w mut Q,
    list: Vec<InitialiserEntry>,
    /// The greatest offset in the list: what is set in order overrides nothing.
    last_offset: u64,
    /// Which member of each union has been set last: setting another one leaves nothing of it.
    chosen: FxHashMap<(u64, TypeId), u64>,
}

impl<Q: Queries> InitialiserWalk<'_, Q> {
    fn fill(&mut self, sub: Sub, initializer: &Initializer, span: Span) -> Lowered<()> {
        match initializer {
            Initializer::Expr(expr) => match self.string_for(sub.ty.ty, *expr) {
                Some(bytes) => self.push_entry(sub, InitialiserSource::Bytes(bytes), span),
                None => self.push_entry(sub, InitialiserSource::Expr(*expr), span),
            },
            Initializer::List(list) => self.fill_from_list(sub, list, span),
        }
    }

    fn push_entry(&mut self, sub: Sub, source: InitialiserSource, span: Span) -> Lowered<()> {
        if self.list.len() >= MAX_ENTRIES {
            return self.queries.error("initialiser", span, "the initialiser is too large");
        }
        self.last_offset = self.last_offset.max(sub.offset);
        self.list.push(InitialiserEntry { offset: sub.offset, ty: sub.ty, bits: sub.bits, source });
        Ok(())
    }

    fn fill_from_list(&mut self, sub: Sub, list: &InitializerList, span: Span) -> Lowered<()> {
        let single = match &list.items[..] {
            [InitializerItem { designators, value }] if designators.is_empty() => Some(value),
            _ => None,
        };
        // Braces around a scalar, or around a string for a character array.
        if !matches!(self.queries.types().kind(sub.ty.ty), CType::Record(_) | CType::Array { .. }) {
            return match list.items.first() {
                Some(item) => self.fill(sub, &item.value, span),
                None => Ok(()),
            };
        }
        if let Some(Initializer::Expr(expr)) = single
            && let Some(bytes) = self.string_for(sub.ty.ty, *expr)
        {
            return self.push_entry(sub, InitialiserSource::Bytes(bytes), span);
        }
        // A list for a whole subobject replaces all that was said about its parts (C11 6.7.9 p19).
        let size = self.queries.types().size_of(sub.ty.ty).unwrap_or(0);
        self.forget(sub.offset, size);
        let (mut next, mut is_excessive) = (0, false);
        while next < list.items.len() {
            let before = next;
            // Behind the last member only a designator leads back.
            if next == 0 || !list.items[next].designators.is_empty() {
                self.fill_aggregate(sub, &list.items, &mut next, true, &[], list.span)?;
            }
            if next == before {
                is_excessive = true;
                next += 1;
            }
        }
        if is_excessive {
            self.queries.warn("initialiser", list.span, "there are more initialisers than members");
        }
        Ok(())
    }

    /// The string that fills an array of characters.
    fn string_for(&mut self, ty: TypeId, expr: ExprId) -> Option<Vec<u8>> {
        let CType::Array { element, length } = *self.queries.types().kind(ty) else { return None };
        let ExprKind::String(literal) = &self.ast[expr].kind else { return None };
        let (mut bytes, character) = self.queries.types_mut().string_bytes(literal);
        let size = self.queries.types().size_of(element.ty)?;
        if !self.queries.types().is_integer(element.ty) || self.queries.types().size_of(character)? != size {
            return None;
        }
        if let ArrayLength::Known(length) = length {
            let whole = length.saturating_mul(size);
            let filled = if whole <= MAX_FILLED { whole } else { whole.min(bytes.len() as u64) };
            bytes.resize(filled as usize, 0);
        }
        Some(bytes)
    }

    /// Fills subobjects from `items[*next]` on. Within braces of its own (`braced`) designators are obeyed; without,
    /// the aggregate takes as many items as it has room for and leaves designated ones to the level above. `pending` are
    /// the designators of the first item that are left after those of the levels above, which for an aggregate without
    /// braces may be none at all.
    fn fill_aggregate(
        &mut self,
        sub: Sub,
        items: &[InitializerItem],
        next: &mut usize,
        braced: bool,
        pending: &[Designator],
        span: Span,
    ) -> Lowered<()> {
        let mut cursor = 0u64;
        let mut first = true;
        while let Some(item) = items.get(*next) {
            let led_here = first && !(braced && pending.is_empty());
            let designators: &[Designator] = if led_here { pending } else { &item.designators };
            if !designators.is_empty() && !braced && !led_here {
                return Ok(());
            }
            let mut last = cursor;
            let mut rest: Vec<Designator> = Vec::new();
            if let Some((head, tail)) = designators.split_first() {
                let (low, high, inner) = self.designated(sub.ty.ty, head)?;
                (cursor, last) = (low, high);
                rest = inner.into_iter().chain(tail.iter().cloned()).collect();
            }
            // What follows the item of a range goes on behind the last element.
            for index in cursor..last {
                let Some(part) = self.part(sub, index) else { return Ok(()) };
                let mut alone = *next;
                self.fill_part(part, &items[..=alone], &mut alone, &rest, span)?;
            }
            let Some(part) = self.part(sub, last) else { return Ok(()) };
            self.choose_member(sub, last);
            self.fill_part(part, items, next, &rest, span)?;
            cursor = last + 1;
            first = false;
            if self.is_union(sub.ty.ty) {
                // Only a further designator could replace the member.
                let more = braced && items.get(*next).is_some_and(|item| !item.designators.is_empty());
                if !more {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn fill_part(
        &mut self,
        part: Sub,
        items: &[InitializerItem],
        next: &mut usize,
        rest: &[Designator],
        span: Span,
    ) -> Lowered<()> {
        if !rest.is_empty() {
            return self.fill_aggregate(part, items, next, false, rest, span);
        }
        let item = &items[*next];
        let elided = match &item.value {
            Initializer::List(_) => false,
            Initializer::Expr(expr) => self.needs_elision(part.ty.ty, *expr)?,
        };
        if elided {
            let before = *next;
            self.fill_aggregate(part, items, next, false, &[], span)?;
            *next = (*next).max(before + 1);
            return Ok(());
        }
        *next += 1;
        self.fill(part, &item.value, span)
    }

    /// Whether an expression initialises the first part of an aggregate instead of the whole.
    fn needs_elision(&mut self, ty: TypeId, expr: ExprId) -> Lowered<bool> {
        match self.queries.types().kind(ty) {
            CType::Array { .. } => Ok(self.string_for(ty, expr).is_none()),
            CType::Record(_) => {
                let value = self.queries.value_shape(expr)?;
                Ok(value.form != Form::Aggregate || !self.queries.types().compatible(value.ty, ty))
            }
            _ => Ok(false),
        }
    }

    /// The range of subobjects that a designator names; a member of an anonymous member also needs a second step.
    fn designated(&mut self, ty: TypeId, designator: &Designator) -> Lowered<(u64, u64, Option<Designator>)> {
        match designator.kind {
            DesignatorKind::Field(name) => {
                let text = self.ast.name(name);
                let Some(path) = self.queries.types().find_member(ty, text) else {
                    let type_name = self.queries.types().name(ty);
                    return self.queries.error(
                        "type",
                        designator.span,
                        format!("`{type_name}` has no member `{text}`"),
                    );
                };
                let members = self.members(ty);
                let index = members.iter().position(|member| is_same(member, &path[0])).unwrap_or(0) as u64;
                Ok((index, index, (path.len() > 1).then(|| designator.clone())))
            }
            DesignatorKind::Index(index) => {
                let index = self.element_index(ty, index)?;
                Ok((index, index, None))
            }
            DesignatorKind::Range(low, high) => {
                let low = self.element_index(ty, low)?;
                let high = self.element_index(ty, high)?;
                if high < low || high - low > MAX_ENTRIES as u64 {
                    return self.queries.error("initialiser", designator.span, "this range is empty or too large");
                }
                Ok((low, high, None))
            }
        }
    }

    fn element_index(&mut self, ty: TypeId, index: ExprId) -> Lowered<u64> {
        let span = self.ast[index].span;
        let CType::Array { length, .. } = *self.queries.types().kind(ty) else {
            return self.queries.error("type", span, "only an array has elements");
        };
        let value = self.queries.require_integer_constant(index)?;
        let limit = match length {
            ArrayLength::Known(length) => length,
            _ => crate::layout::MAX_SIZE,
        };
        match u64::try_from(value) {
            Ok(value) if value < limit => Ok(value),
            _ => self.queries.error("initialiser", span, "the index is outside of the array"),
        }
    }

    fn members(&self, ty: TypeId) -> Vec<MemberLayout> {
        let layout = self.queries.types().record(ty).and_then(|id| self.queries.types().records[id].layout.as_ref());
        layout.map_or(Vec::new(), |layout| layout.members.clone())
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.queries.types().record(ty).is_some_and(|id| self.queries.types().records[id].union)
    }

    /// The n-th subobject; `None` past the end.
    fn part(&self, sub: Sub, index: u64) -> Option<Sub> {
        match *self.queries.types().kind(sub.ty.ty) {
            CType::Array { element, length } => {
                if let ArrayLength::Known(length) = length
                    && index >= length
                {
                    return None;
                }
                let size = self.queries.types().size_of(element.ty)?;
                Some(Sub { offset: sub.offset + index * size, ty: element, bits: None })
            }
            CType::Record(id) => {
                let layout = self.queries.types().records[id].layout.as_ref()?;
                let member = layout.members.get(index as usize)?;
                Some(Sub { offset: sub.offset + member.offset, ty: member.ty, bits: member.bits })
            }
            _ => (index == 0).then_some(sub),
        }
    }

    fn choose_member(&mut self, sub: Sub, member: u64) {
        if !self.is_union(sub.ty.ty) {
            return;
        }
        let former = self.chosen.insert((sub.offset, sub.ty.ty), member);
        if former.is_some_and(|former| former != member) {
            let size = self.queries.types().size_of(sub.ty.ty).unwrap_or(0);
            self.forget(sub.offset, size);
        }
    }

    fn forget(&mut self, offset: u64, size: u64) {
        if offset <= self.last_offset {
            self.list.retain(|entry| !(offset..offset + size).contains(&entry.offset));
        }
    }
}

fn is_same(left: &MemberLayout, right: &MemberLayout) -> bool {
    left.name == right.name && left.offset == right.offset && left.bits == right.bits && left.ty == right.ty
}

#[cfg(test)]
mod tests {
    use base::Files;
    use program::{DataModel, Operand};

    use super::*;
    use crate::ast::Item;
    use crate::ctype::TypeTable;
    use crate::emit::value::{CValue, Reported};
    use crate::source_text::parse_text;

    /// Every expression is a literal of type `int`.
    struct Literals<'a> {
        ast: &'a TranslationUnit,
        types: TypeTable,
        warnings: usize,
    }

    impl Queries for Literals<'_> {
        fn types(&self) -> &TypeTable {
            &self.types
        }

        fn types_mut(&mut self) -> &mut TypeTable {
            &mut self.types
        }

        fn value_shape(&mut self, expr: ExprId) -> Lowered<CValue> {
            let value = self.require_integer_constant(expr)?;
            Ok(CValue::scalar(Operand::int(32, value as u64), TypeTable::INT))
        }

        fn integer_constant(&mut self, expr: ExprId) -> Lowered<Option<i128>> {
            match self.ast[expr].kind {
                ExprKind::Integer(constant) => Ok(Some(constant.value as i128)),
                _ => Ok(None),
            }
        }

        fn require_integer_constant(&mut self, expr: ExprId) -> Lowered<i128> {
            self.integer_constant(expr)?.ok_or(Reported)
        }

        fn error<T>(&mut self, _: &'static str, _: Span, _: impl Into<String>) -> Lowered<T> {
            Err(Reported)
        }

        fn warn(&mut self, _: &'static str, _: Span, _: impl Into<String>) {
            self.warnings += 1;
        }
    }

    /// The initialiser of `int x[2][2]`: pairs of an offset and a value, and how many warnings there are.
    fn set_by(initialiser: &str) -> Option<(Vec<(u64, i128)>, usize)> {
        let text = format!("int x[2][2] = {initialiser};");
        let unit = parse_text("x.c", text.as_bytes(), &mut Files::default()).unwrap().unit;
        let Some(Item::Declaration(declaration)) = unit.items.first() else { panic!("a declaration is missing") };
        let initialiser = declaration.declarators[0].initializer.as_ref().unwrap();
        let mut literals = Literals { ast: &unit, types: TypeTable::new(DataModel::Lp64), warnings: 0 };
        let two = ArrayLength::Known(2);
        let row = literals.types.array_of(QualType::plain(TypeTable::INT), two);
        let matrix = literals.types.array_of(QualType::plain(row), two);
        let list = entries(&unit, &mut literals, QualType::plain(matrix), initialiser, Span::UNKNOWN).ok()?;
        let pair = |entry: &InitialiserEntry| match entry.source {
            InitialiserSource::Expr(expr) => (entry.offset, literals.require_integer_constant(expr).unwrap()),
            InitialiserSource::Bytes(_) => panic!("this is no array of characters"),
        };
        let pairs = list.iter().map(pair).collect();
        Some((pairs, literals.warnings))
    }

    #[test]
    fn braces_may_be_left_out() {
        let all = vec![(0, 1), (4, 2), (8, 3), (12, 4)];
        assert_eq!(set_by("{{1, 2}, {3, 4}}"), Some((all.clone(), 0)));
        assert_eq!(set_by("{1, 2, 3, 4}"), Some((all.clone(), 0)));
        assert_eq!(set_by("{1, 2, {3, 4}}"), Some((all, 0)));
        assert_eq!(set_by("{{1}, 2}"), Some((vec![(0, 1), (8, 2)], 0)));
    }

    #[test]
    fn designators_lead_back_and_forth() {
        assert_eq!(set_by("{[1] = {7}, [0] = {5, 6}}"), Some((vec![(8, 7), (0, 5), (4, 6)], 0)));
        assert_eq!(set_by("{[0][1] = 2, 3}"), Some((vec![(4, 2), (8, 3)], 0)));
        assert_eq!(set_by("{[0 ... 1] = {4}}"), Some((vec![(0, 4), (8, 4)], 0)));
        assert_eq!(set_by("{[0][0] = 1, [0] = {2}}"), Some((vec![(0, 2)], 0)));
    }

    #[test]
    fn what_does_not_fit_is_told() {
        assert_eq!(set_by("{1, 2, 3, 4, 5}"), Some((vec![(0, 1), (4, 2), (8, 3), (12, 4)], 1)));
        assert_eq!(set_by("{[2] = {1}}"), None);
        assert_eq!(set_by("{[1 ... 0] = {1}}"), None);
    }
}
