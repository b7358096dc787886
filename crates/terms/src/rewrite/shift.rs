//! Rules of the shifts: by a constant they only move bits.

use crate::arena::Terms;
use crate::semantics::mask;
use crate::term::TermId;

pub(super) fn shl(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.as_constant(a), t.as_constant(b)) {
        // x << 0 = x, 0 << x = 0
        (_, Some(0)) | (Some(0), _) => Some(a),
        // x << n = 0 for n ≥ width
        (_, Some(amount)) if amount >= u64::from(width) => Some(t.constant(width, 0)),
        // x << n = x[width-n-1..0] · 0ⁿ
        (_, Some(amount)) => {
            let amount = amount as u32;
            let (kept, zeros) = (t.extract(a, width - amount - 1, 0), t.constant(amount, 0));
            Some(t.concat(kept, zeros))
        }
        _ => None,
    }
}

pub(super) fn lshr(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.as_constant(a), t.as_constant(b)) {
        // x >> 0 = x, 0 >> x = 0
        (_, Some(0)) | (Some(0), _) => Some(a),
        // x >> n = 0 for n ≥ width
        (_, Some(amount)) if amount >= u64::from(width) => Some(t.constant(width, 0)),
        // x >> n = 0ⁿ · x[width-1..n]
        (_, Some(amount)) => {
            let kept = t.extract(a, width - 1, amount as u32);
            Some(t.zero_extend(kept, width))
        }
        _ => None,
    }
}

pub(super) fn ashr(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = t.width(a);
    match (t.as_constant(a), t.as_constant(b)) {
        // x >> 0 = x, 0 >> x = 0, -1 >> x = -1
        (_, Some(0)) | (Some(0), _) => Some(a),
        (Some(value), _) if value == mask(width) => Some(a),
        // x >> n is x[width-1..min(n, width-1)], sign-extended
        (_, Some(amount)) => {
            let kept = t.extract(a, width - 1, amount.min(u64::from(width) - 1) as u32);
            Some(t.sign_extend(kept, width))
        }
        _ => None,
    }
}
