//! The competition's answer: exactly one line. `TRUE` is said only of proofs.

use program::{Outcome, Property};

use crate::text_width::printable;

/// The line for one property, or for a group of them that counts as one.
pub fn line(outcomes: &[(Property, Outcome)]) -> String {
    let violated = outcomes.iter().find(|(_, outcome)| matches!(outcome, Outcome::Violated(_)));
    if let Some((property, _)) = violated {
        return format!("FALSE({property})");
    }
    let open = outcomes.iter().find_map(|(_, outcome)| match outcome {
        Outcome::HoldsUpTo(bounds) => Some(format!("holds up to {bounds}")),
        Outcome::Unknown(reason) => Some(reason.to_string()),
        Outcome::Proved | Outcome::Violated(_) => None,
    });
    match open {
        Some(reason) => unknown(&reason),
        None if outcomes.is_empty() => unknown("nothing was checked"),
        None => "TRUE".to_owned(),
    }
}

/// The line for an answer that could not be given.
pub fn unknown(reason: &str) -> String {
    format!("UNKNOWN({})", printable(&reason.replace('\n', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_traces::lost_update;
    use base::{Span, StopReason};
    use program::{Bounds, UnknownReason};

    #[test]
    fn only_a_proof_is_true() {
        let proved = (Property::Assert, Outcome::Proved);
        let bounded = Outcome::HoldsUpTo(Bounds { unwind: Some(3), chosen_by_user: true, ..Bounds::default() });
        assert_eq!(line(std::slice::from_ref(&proved)), "TRUE");
        assert_eq!(line(&[(Property::Assert, bounded)]), "UNKNOWN(holds up to 3 iterations of each loop)");
        let stopped = (Property::ValidFree, Outcome::Unknown(UnknownReason::Stopped(StopReason::Time)));
        assert_eq!(line(&[proved.clone(), stopped.clone()]), "UNKNOWN(time limit reached)");
        let violated = (Property::ValidDeref, Outcome::Violated(Box::new(lost_update().1)));
        assert_eq!(line(&[stopped, violated]), "FALSE(valid-deref)");
        assert_eq!(line(&[]), "UNKNOWN(nothing was checked)");
    }

    #[test]
    fn a_reason_stays_on_one_line() {
        let what = "asm\nmov".to_owned();
        let reason = UnknownReason::Unsupported { what, span: Span::UNKNOWN };
        assert_eq!(line(&[(Property::Assert, Outcome::Unknown(reason))]), "UNKNOWN(unsupported: asm mov)");
    }
}
