//! Exit codes, the shortest report there is.

use std::process::ExitCode;

use program::{Outcome, Property};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Every selected property holds, without a bound or up to one that the user gave.
    Holds = 0,
    /// Some property is violated.
    Violated = 1,
    /// Wrong usage, or input that cannot be read.
    Usage = 2,
    /// Anything else: an unknown, or a bound that the budget chose.
    Unknown = 3,
    /// A bug of ours.
    Bug = 4,
}

impl Exit {
    pub fn of(outcomes: &[(Property, Outcome)]) -> Self {
        let is_violated = |outcome: &Outcome| matches!(outcome, Outcome::Violated(_));
        let holds = |outcome: &Outcome| match outcome {
            Outcome::Proved => true,
            Outcome::HoldsUpTo(bounds) => bounds.chosen_by_user,
            Outcome::Violated(_) | Outcome::Unknown(_) => false,
        };
        if outcomes.iter().any(|(_, outcome)| is_violated(outcome)) {
            Exit::Violated
        } else if !outcomes.is_empty() && outcomes.iter().all(|(_, outcome)| holds(outcome)) {
            Exit::Holds
        } else {
            Exit::Unknown
        }
    }

    /// The exit that a process of ours meant by its code.
    pub fn from_code(code: i32) -> Option<Self> {
        let all = [Exit::Holds, Exit::Violated, Exit::Usage, Exit::Unknown, Exit::Bug];
        all.into_iter().find(|exit| i32::from(exit.code()) == code)
    }

    /// How a command that has checked several programs exits: what is worst for its user.
    pub fn worse(self, other: Self) -> Self {
        let rank =
            |exit| [Exit::Holds, Exit::Unknown, Exit::Violated, Exit::Usage, Exit::Bug].iter().position(|&e| e == exit);
        if rank(other) > rank(self) { other } else { self }
    }

    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Bounds, UnknownReason};

    #[test]
    fn only_a_bound_of_the_user_counts_as_holding() {
        let bound = |chosen_by_user| Outcome::HoldsUpTo(Bounds { chosen_by_user, ..Bounds::default() });
        let both = |second| [(Property::Assert, Outcome::Proved), (Property::UnreachCall, second)];
        assert_eq!(Exit::of(&both(Outcome::Proved)), Exit::Holds);
        assert_eq!(Exit::of(&both(bound(true))), Exit::Holds);
        assert_eq!(Exit::of(&both(bound(false))), Exit::Unknown);
        assert_eq!(Exit::of(&both(Outcome::Unknown(UnknownReason::NotChecked))), Exit::Unknown);
        assert_eq!(Exit::of(&[]), Exit::Unknown);
    }
}
