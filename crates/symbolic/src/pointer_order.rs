//! The order of pointers into one object.
//!
//! Inside of an object, and behind it, addresses are ordered as offsets are. Before it they are as well, as far as there is memory: a loop
//! that runs down to the first element leaves its pointer just before that. So offsets are signed here. Where an object
//! lies is not known but that it is not in the first page, and beyond that an offset may lead below the beginning of
//! memory.

use program::BinaryOp;
use terms::{TermId, Terms};

use crate::object::ObjectId;
use crate::value::{OBJECT_BITS, SymValue};

/// Nothing lies in the first page of memory.
const PAGE: u64 = 4096;

/// The result of a comparison by order.
#[derive(Clone, Copy, Debug)]
pub struct PointerOrder {
    pub holds: TermId,
    /// When it depends on where the object lies.
    pub doubtful: TermId,
}

/// The order of two pointers that name the same; `None` if that is not certain, or if the operator is none of order.
/// Numbers that never name anything are not looked at.
pub fn pointer_order(terms: &mut Terms, op: BinaryOp, left: &SymValue, right: &SymValue) -> Option<PointerOrder> {
    let (
        SymValue::Pointer { object, offset: a, targets },
        SymValue::Pointer { object: other, offset: b, targets: others },
    ) = (left, right)
    else {
        return None;
    };
    if left.as_int().is_some() || (object != other && (targets.len() != 1 || targets != others)) {
        return None;
    }
    offset_order(terms, op, (*object, targets.contains(&ObjectId::NONE)), (*a, *b))
}

/// The order of two places in an object, which may also be none if `may_be_none`: then they are numbers.
pub fn offset_order(
    terms: &mut Terms,
    op: BinaryOp,
    (object, may_be_none): (TermId, bool),
    (a, b): (TermId, TermId),
) -> Option<PointerOrder> {
    let is_signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
    let (places, numbers) = match op {
        BinaryOp::Ult => (terms.slt(a, b), terms.ult(a, b)),
        BinaryOp::Slt => (terms.slt(a, b), terms.slt(a, b)),
        BinaryOp::Ule => (terms.sle(a, b), terms.ule(a, b)),
        BinaryOp::Sle => (terms.sle(a, b), terms.sle(a, b)),
        _ => return None,
    };
    let width = terms.width(a);
    let first = terms.constant(width, PAGE.wrapping_neg());
    let below = [a, b].map(|offset| terms.slt(offset, first));
    let below = terms.or(below[0], below[1]);
    // With 32 bits, an object may lie where addresses as signed numbers begin anew.
    let doubtful = if is_signed && width < 64 { terms.boolean(true) } else { below };
    if !may_be_none {
        return Some(PointerOrder { holds: places, doubtful });
    }
    let none = terms.constant(OBJECT_BITS, u64::from(ObjectId::NONE.0));
    let is_number = terms.eq(object, none);
    let is_place = terms.not(is_number);
    Some(PointerOrder { holds: terms.ite(is_number, numbers, places), doubtful: terms.and(is_place, doubtful) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every place from a page before an object up to two pages behind it.
    #[test]
    fn the_order_is_that_of_addresses() {
        let base = 0x1_0000u64;
        for op in [BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle] {
            for (a, b) in [(-4096i64, 0), (-1, 0), (0, -1), (0, 0), (0, 4), (4, 8192), (-4096, -4095), (-1, -1)] {
                let mut terms = Terms::new();
                let [one, two] = [a, b].map(|offset| {
                    let offset = terms.constant(64, offset as u64);
                    SymValue::address(&mut terms, ObjectId(3), offset)
                });
                let order = pointer_order(&mut terms, op, &one, &two).expect("pointers into one object");
                let (left, right) = (base.wrapping_add_signed(a), base.wrapping_add_signed(b));
                let expected = match op {
                    BinaryOp::Ult | BinaryOp::Slt => left < right,
                    _ => left <= right,
                };
                assert_eq!(terms.as_boolean(order.holds), Some(expected), "{a} {op:?} {b}");
                assert_eq!(terms.as_boolean(order.doubtful), Some(false));
            }
        }
    }

    #[test]
    fn far_before_an_object_nothing_is_certain() {
        let mut terms = Terms::new();
        let [one, two] = [-4097i64, 0].map(|offset| {
            let offset = terms.constant(64, offset as u64);
            SymValue::address(&mut terms, ObjectId(3), offset)
        });
        let order = pointer_order(&mut terms, BinaryOp::Ult, &one, &two).expect("pointers into one object");
        assert_eq!(terms.as_boolean(order.doubtful), Some(true));
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        let mut terms = Terms::new();
        let (object, one) = (terms.bv_variable("object", OBJECT_BITS), terms.constant(64, 1));
        let last = terms.constant(64, u64::MAX);
        let order = offset_order(&mut terms, BinaryOp::Ult, (object, true), (one, last)).expect("an order");
        let none = terms.constant(OBJECT_BITS, 0);
        let is_number = terms.eq(object, none);
        assert_eq!(order.holds, is_number);
        assert_eq!(terms.as_boolean(order.doubtful), Some(false));
    }
}
