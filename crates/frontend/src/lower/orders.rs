//! The orders in which evaluations can come, as far as it makes a difference: evaluations that do not conflict may be
//! swapped, so of the orders that swapping makes of each other one is enough (a Mazurkiewicz trace, by its lexicographically
//! least representative).

/// Of evaluations with more orders than these, two are tried.
const MAX_ORDERS: usize = 24;

/// The orders in which an execution may evaluate operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationOrders {
    pub orders: Vec<Vec<usize>>,
    /// There are more than these.
    pub is_incomplete: bool,
}

/// How two evaluations are related.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequencingRelation {
    /// It does not matter which comes first.
    Independent,
    /// The first one comes first.
    Sequenced,
    /// They come in any order.
    Conflict,
}

impl EvaluationOrders {
    /// All orders of the evaluations from 0 to `count`; `relation` is asked for the lesser one first. If they are too many,
    /// from the left and from the right.
    pub fn of(count: usize, relation: impl Fn(usize, usize) -> SequencingRelation) -> Self {
        let mut search = OrderSearch { count, relation, word: Vec::new(), found: Vec::new() };
        search.extend();
        match search.found.len() <= MAX_ORDERS {
            true => Self { orders: search.found, is_incomplete: false },
            false => {
                let backwards = search.backwards();
                Self { orders: vec![(0..count).collect(), backwards], is_incomplete: true }
            }
        }
    }
}

struct OrderSearch<F> {
    count: usize,
    relation: F,
    word: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl<F: Fn(usize, usize) -> SequencingRelation> OrderSearch<F> {
    fn extend(&mut self) {
        if self.word.len() == self.count {
            self.found.push(self.word.clone());
            return;
        }
        for next in 0..self.count {
            if self.found.len() > MAX_ORDERS {
                return;
            }
            if self.may_follow(next) && self.is_least(next) {
                self.word.push(next);
                self.extend();
                self.word.pop();
            }
        }
    }

    /// Whether it is left, and all that must come before is done.
    fn may_follow(&self, next: usize) -> bool {
        let is_missing = |earlier: usize| {
            !self.word.contains(&earlier) && (self.relation)(earlier, next) == SequencingRelation::Sequenced
        };
        !self.word.contains(&next) && !(0..next).any(is_missing)
    }

    /// Whether no greater one that was taken before could as well come after it.
    fn is_least(&self, next: usize) -> bool {
        let is_independent =
            |&&other: &&usize| (self.relation)(other.min(next), other.max(next)) == SequencingRelation::Independent;
        self.word.iter().rev().take_while(is_independent).all(|&other| other < next)
    }

    fn backwards(&mut self) -> Vec<usize> {
        self.word.clear();
        while let Some(next) = (0..self.count).rev().find(|&next| self.may_follow(next)) {
            self.word.push(next);
        }
        std::mem::take(&mut self.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicting_evaluations_come_in_all_orders() {
        let orders = EvaluationOrders::of(3, |_, _| SequencingRelation::Conflict);
        assert_eq!(orders.orders.len(), 6);
        assert_eq!(orders.orders[0], [0, 1, 2]);
        assert!(!orders.is_incomplete);
    }

    #[test]
    fn orders_that_swapping_makes_equal_are_one() {
        // The last one conflicts with the others, which do not mind each other.
        let star = |_, other| if other == 3 { SequencingRelation::Conflict } else { SequencingRelation::Independent };
        assert_eq!(EvaluationOrders::of(4, star).orders.len(), 8);
        assert_eq!(EvaluationOrders::of(4, |_, _| SequencingRelation::Independent).orders, [[0, 1, 2, 3]]);
    }

    #[test]
    fn parts_come_before_the_whole() {
        // 0 is a part of 1; 2 conflicts with both.
        let relation = |one, other| {
            if (one, other) == (0, 1) { SequencingRelation::Sequenced } else { SequencingRelation::Conflict }
        };
        assert_eq!(EvaluationOrders::of(3, relation).orders, [[0, 1, 2], [0, 2, 1], [2, 0, 1]]);
    }

    #[test]
    fn of_too_many_orders_two_are_tried() {
        let orders = EvaluationOrders::of(5, |_, _| SequencingRelation::Conflict);
        assert_eq!(orders.orders, [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]]);
        assert!(orders.is_incomplete);
    }
}
