//! Rules of concatenation, extraction and sign extension: bits that only move.

use crate::arena::Terms;
use crate::semantics;
use crate::term::{Term, TermId};

pub(crate) fn concat(t: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    match (t.get(high), t.get(low)) {
        // k · l
        (Term::Constant { value: k, .. }, Term::Constant { value: l, .. }) => {
            let low_width = t.width(low);
            Some(t.constant(t.width(high) + low_width, semantics::concat(low_width, k, l)))
        }
        // (x · y) · z = x · (y · z)
        (Term::Concat(x, y), _) => {
            let rest = t.concat(y, low);
            Some(t.concat(x, rest))
        }
        // x · (y · z) = (x · y) · z if x · y is simpler
        (_, Term::Concat(y, z)) => {
            let joined = join(t, high, y)?;
            Some(t.concat(joined, z))
        }
        _ => join(t, high, low),
    }
}

/// Two neighbours that are one term.
fn join(t: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    match (t.get(high), t.get(low)) {
        (Term::Constant { .. }, Term::Constant { .. }) => Some(t.concat(high, low)),
        // x[h..m+1] · x[m..l] = x[h..l]
        (Term::Extract { arg, high, low: bottom }, Term::Extract { arg: same, high: top, low })
            if arg == same && u32::from(bottom) == u32::from(top) + 1 =>
        {
            Some(t.extract(arg, u32::from(high), u32::from(low)))
        }
        _ => None,
    }
}

pub(crate) fn extract(t: &mut Terms, arg: TermId, high: u32, low: u32) -> Option<TermId> {
    if low == 0 && high + 1 == t.width(arg) {
        return Some(arg);
    }
    match t.get(arg) {
        Term::Constant { value, .. } => Some(t.constant(high - low + 1, semantics::extract(high, low, value))),
        // x[..l][h'..l'] = x[h'+l..l'+l]
        Term::Extract { arg: inner, low: offset, .. } => {
            let offset = u32::from(offset);
            Some(t.extract(inner, high + offset, low + offset))
        }
        Term::Concat(x, y) => Some(extract_from_concat(t, (x, y), high, low)),
        Term::SignExtend { arg: inner, .. } => Some(extract_from_sign_extension(t, inner, high, low)),
        // ite(c, k, l)[h..l] = ite(c, k[h..l], l[h..l])
        Term::Ite(c, a, b) if t.as_constant(a).is_some() && t.as_constant(b).is_some() => {
            let (a, b) = (t.extract(a, high, low), t.extract(b, high, low));
            Some(t.ite(c, a, b))
        }
        _ => None,
    }
}

fn extract_from_concat(t: &mut Terms, (x, y): (TermId, TermId), high: u32, low: u32) -> TermId {
    let boundary = t.width(y);
    if high < boundary {
        return t.extract(y, high, low);
    }
    if low >= boundary {
        return t.extract(x, high - boundary, low - boundary);
    }
    let (upper, lower) = (t.extract(x, high - boundary, 0), t.extract(y, boundary - 1, low));
    t.concat(upper, lower)
}

fn extract_from_sign_extension(t: &mut Terms, inner: TermId, high: u32, low: u32) -> TermId {
    let sign = t.width(inner) - 1;
    if high <= sign {
        return t.extract(inner, high, low);
    }
    let kept = t.extract(inner, sign, low.min(sign));
    t.sign_extend(kept, high - low + 1)
}

pub(crate) fn sign_extend(t: &mut Terms, arg: TermId, width: u32) -> Option<TermId> {
    match t.get(arg) {
        Term::Constant { value, .. } => {
            let own = t.width(arg);
            Some(t.constant(width, semantics::sign_extend(own, width, value)))
        }
        // the sign of a sign extension is the sign of its operand
        Term::SignExtend { arg: inner, .. } => Some(t.sign_extend(inner, width)),
        // a constant on top decides the sign
        Term::Concat(x, y) => {
            let k = t.as_constant(x)?;
            let (own, low_width) = (t.width(x), t.width(y));
            let extended = t.constant(width - low_width, semantics::sign_extend(own, width - low_width, k));
            Some(t.concat(extended, y))
        }
        _ => None,
    }
}
