//! Which of several alternatives to look for: a query asks for one of many violations, and the search is short once it
//! is known which. So an alternative is decided before anything else, and the next one when it has taken too long:
//! a hard one should not keep the search from an easy one for ever.

use solve::Lit;

/// The alternatives of one goal, looked for in turn while the goal is true.
#[derive(Clone, Debug)]
pub(crate) struct GoalAlternatives {
    goal: Lit,
    alternatives: Vec<Lit>,
    /// The alternative that is looked for.
    focus: usize,
    backtracks_left: u64,
    patience: u64,
}

impl GoalAlternatives {
    const PATIENCE: u64 = 64;

    pub fn new(goal: Lit, alternatives: Vec<Lit>) -> Self {
        Self { goal, alternatives, focus: 0, backtracks_left: Self::PATIENCE, patience: Self::PATIENCE }
    }

    pub fn literals(&self) -> impl Iterator<Item = Lit> {
        self.alternatives.iter().copied().chain([self.goal])
    }

    /// The alternative to decide now: none if one is true, or none is wanted. `value` is what is known of a literal.
    pub fn decide(&mut self, value: impl Fn(Lit) -> Option<bool>) -> Option<Lit> {
        if value(self.goal) != Some(true) {
            return None;
        }
        for _ in 0..self.alternatives.len() {
            let lit = self.alternatives[self.focus];
            match value(lit) {
                Some(true) => return None,
                None => return Some(lit),
                Some(false) => self.turn(),
            }
        }
        None
    }

    /// Patience grows with every round through the alternatives.
    pub fn note_backtrack(&mut self) {
        self.backtracks_left -= 1;
        if self.backtracks_left == 0 {
            self.turn();
        }
    }

    fn turn(&mut self) {
        self.focus += 1;
        if self.focus == self.alternatives.len() {
            self.focus = 0;
            self.patience = self.patience.saturating_mul(2);
        }
        self.backtracks_left = self.patience;
    }
}

#[cfg(test)]
mod tests {
    use solve::Var;

    use super::*;

    fn lit(index: u32) -> Lit {
        Var::new(index + 1).positive()
    }

    /// A goal with three alternatives, and an assignment to all four literals.
    fn goal() -> (GoalAlternatives, [Option<bool>; 4]) {
        (GoalAlternatives::new(lit(0), vec![lit(1), lit(2), lit(3)]), [Some(true), None, None, None])
    }

    fn decide(goal: &mut GoalAlternatives, values: &[Option<bool>; 4]) -> Option<Lit> {
        goal.decide(|lit| values[lit.var().index()])
    }

    #[test]
    fn nothing_is_decided_without_the_goal() {
        let (mut goal, mut values) = goal();
        values[0] = None;
        assert_eq!(decide(&mut goal, &values), None);
        values[0] = Some(false);
        assert_eq!(decide(&mut goal, &values), None);
    }

    #[test]
    fn the_first_open_alternative_is_decided_once() {
        let (mut goal, mut values) = goal();
        assert_eq!(decide(&mut goal, &values), Some(lit(1)));
        values[1] = Some(false);
        assert_eq!(decide(&mut goal, &values), Some(lit(2)));
        values[2] = Some(true);
        assert_eq!(decide(&mut goal, &values), None);
    }

    #[test]
    fn nothing_is_left_to_decide_when_all_alternatives_are_false() {
        let (mut goal, _) = goal();
        assert_eq!(decide(&mut goal, &[Some(true), Some(false), Some(false), Some(false)]), None);
    }

    #[test]
    fn a_hard_alternative_makes_room_for_the_others_and_comes_back_with_more_patience() {
        let (mut goal, values) = goal();
        let mut turns = Vec::new();
        for _ in 0..4 * GoalAlternatives::PATIENCE {
            let focus = decide(&mut goal, &values).expect("an alternative should be open");
            match turns.last_mut() {
                Some((last, length)) if *last == focus => *length += 1,
                _ => turns.push((focus, 1)),
            }
            goal.note_backtrack();
        }
        let patience = GoalAlternatives::PATIENCE;
        assert_eq!(turns[..3], [(lit(1), patience), (lit(2), patience), (lit(3), patience)]);
        assert_eq!(turns[3], (lit(1), patience));
        let focus = decide(&mut goal, &values);
        assert_eq!(focus, Some(lit(1)), "the second turn should be twice as long");
    }
}
