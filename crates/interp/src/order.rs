//! Which thread goes first where steps commute: the choice of the representative of each class of executions.

/// How threads take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// The turn passes on when a thread enters a loop head.
    #[default]
    Loop,
    /// The turn passes on when a thread has completed as many iterations as its weight says.
    Weighted,
    /// The same, but only at outermost loops.
    OuterLoop,
    /// Groups of threads take turns, an iteration each; inside of a group one thread after the other.
    Group,
    /// One thread after the other.
    Sequential,
    /// The turn passes on with every step.
    Step,
    /// No reduction.
    None,
}

/// An order and what it knows of threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreferenceOrder {
    pub kind: OrderKind,
    /// The group of each thread; further threads are groups of their own.
    pub groups: Vec<u32>,
    /// The iterations that each thread does in one turn; further threads do one.
    pub weights: Vec<u32>,
}

/// The greatest number of iterations in one turn.
const MAX_WEIGHT: u32 = 64;

/// What a step means for the order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LoopEntry {
    /// It enters a loop, for the first time or again.
    pub any: bool,
    /// It enters an outermost loop.
    pub outermost: bool,
    /// It enters a loop again.
    pub again: bool,
}

impl PreferenceOrder {
    pub fn new(kind: OrderKind) -> Self {
        Self { kind, groups: Vec::new(), weights: Vec::new() }
    }

    pub fn of_groups(groups: Vec<u32>) -> Self {
        Self { kind: OrderKind::Group, groups, weights: Vec::new() }
    }

    pub fn of_weights(weights: Vec<u32>) -> Self {
        Self { kind: OrderKind::Weighted, groups: Vec::new(), weights }
    }

    pub fn reduces(&self) -> bool {
        self.kind != OrderKind::None
    }

    fn group(&self, thread: u32) -> u32 {
        self.groups.get(thread as usize).copied().unwrap_or(thread + 1000)
    }

    /// The threads in the order in which they are preferred, in a state of the order. Where iterations are counted, those that
    /// have not begun come first: predicates can then speak of the counters of all.
    pub fn preferred(&self, state: u32, threads: &[u32], begins: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let mut sorted = threads.to_vec();
        match self.kind {
            OrderKind::None | OrderKind::Sequential => {}
            OrderKind::Loop | OrderKind::OuterLoop | OrderKind::Step => {
                sorted.sort_by_key(|&thread| (thread < state, thread));
            }
            OrderKind::Weighted => sorted.sort_by_key(|&thread| (!begins(thread), thread < state / MAX_WEIGHT, thread)),
            OrderKind::Group => sorted.sort_by_key(|&thread| {
                let group = self.group(thread);
                (!begins(thread), group < state, group, thread)
            }),
        }
        sorted
    }

    /// The state of the order after a step.
    pub fn next(&self, state: u32, thread: u32, entry: LoopEntry) -> u32 {
        match self.kind {
            OrderKind::None | OrderKind::Sequential => 0,
            OrderKind::Loop if entry.any => thread + 1,
            OrderKind::OuterLoop if entry.outermost => thread + 1,
            OrderKind::Step => thread + 1,
            OrderKind::Group if entry.again => self.group(thread) + 1,
            OrderKind::Weighted if entry.again => {
                let weight = self.weights.get(thread as usize).copied().unwrap_or(1).clamp(1, MAX_WEIGHT);
                let done = if state / MAX_WEIGHT == thread { state % MAX_WEIGHT + 1 } else { 1 };
                if done < weight { thread * MAX_WEIGHT + done } else { (thread + 1) * MAX_WEIGHT }
            }
            _ => state,
        }
    }
}
