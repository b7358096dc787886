//! The nodes that were visited, where nodes that are like others are left out.
//!
//! With sleep sets, what was walked from a node depends on who slept there. As Godefroid says (*Partial-order methods*,
//! section 5.4), the sleep set is kept with the node: who comes back needs only the steps of those who slept then and
//! are awake now.

use rustc_hash::FxHashMap;

use crate::sleep::SleepSet;

/// What the future of a node depends on, hashed.
pub type NodeKey = u128;

#[derive(Default)]
pub struct Visited {
    asleep: FxHashMap<NodeKey, SleepSet>,
}

pub enum Meeting {
    New,
    /// Whatever could be walked from here has been.
    Known,
    /// Only the steps of these threads have not been walked.
    Rest(SleepSet),
}

impl Visited {
    pub fn meet(&mut self, key: NodeKey, sleep: &SleepSet) -> Meeting {
        let Some(slept) = self.asleep.get_mut(&key) else {
            self.asleep.insert(key, sleep.clone());
            return Meeting::New;
        };
        let rest: SleepSet = slept.iter().copied().filter(|thread| !sleep.contains(thread)).collect();
        if rest.is_empty() {
            return Meeting::Known;
        }
        slept.retain(|thread| sleep.contains(thread));
        Meeting::Rest(rest)
    }
}

#[cfg(test)]
mod tests {
    use program::ThreadId;

    use super::*;

    fn set(threads: &[u32]) -> SleepSet {
        threads.iter().copied().map(ThreadId).collect()
    }

    #[test]
    fn who_slept_before_is_walked_when_met_awake() {
        let mut visited = Visited::default();
        assert!(matches!(visited.meet(1, &set(&[1, 2])), Meeting::New));
        assert!(matches!(visited.meet(1, &set(&[1, 2, 3])), Meeting::Known));
        assert!(matches!(visited.meet(1, &set(&[2])), Meeting::Rest(rest) if rest == set(&[1])));
        assert!(matches!(visited.meet(1, &set(&[2])), Meeting::Known));
        assert!(matches!(visited.meet(1, &set(&[])), Meeting::Rest(rest) if rest == set(&[2])));
        assert!(matches!(visited.meet(2, &set(&[])), Meeting::New));
    }
}
