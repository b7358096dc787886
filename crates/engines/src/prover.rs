//! What the engines that only prove have in common: one attempt, which proves some properties or says nothing.

use std::collections::VecDeque;

use base::{Budget, Statistics, StopReason};
use program::{Property, PropertySet};

use crate::engine::{Advance, EngineBug, Fact, Run};

/// An attempt to prove the properties that are open: those that are proved, or why it ended early.
pub type Attempt<'a> = dyn FnMut(PropertySet, &Budget, &mut Statistics) -> Result<Vec<Property>, StopReason> + 'a;

/// One attempt, repeated from the beginning if the budget ended it.
pub struct OneAttempt<'a> {
    attempt: Box<Attempt<'a>>,
    /// `None` before the attempt has come to its end.
    proved: Option<VecDeque<Property>>,
    statistics: Statistics,
}

impl<'a> OneAttempt<'a> {
    pub fn new(
        attempt: impl FnMut(PropertySet, &Budget, &mut Statistics) -> Result<Vec<Property>, StopReason> + 'a,
    ) -> Box<Self> {
        Box::new(Self { attempt: Box::new(attempt), proved: None, statistics: Statistics::new() })
    }
}

impl Run for OneAttempt<'_> {
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug> {
        let proved = match &mut self.proved {
            Some(proved) => proved,
            None => match (self.attempt)(open, budget, &mut self.statistics) {
                Ok(proved) => self.proved.insert(proved.into()),
                Err(reason) => return Ok(Advance::Stopped(reason)),
            },
        };
        Ok(proved.pop_front().map_or(Advance::Done, |property| Advance::Learned(Fact::Proved(property))))
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}
