//! Which thread goes first where steps commute: the choice of the representative of each class of executions.

/// How threads take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// The turn passes on when a thread enters a loop head.
    #[default]
    Loop,
    /// The same, but only at outermost loops.
    OuterLoop,
    /// Groups of threads take turns; inside of a group one thread after the other.
    Group,
    /// One thread after the other.
    Sequential,
    /// The turn passes on with every step.
    Step,
    /// No reduction.
    None,
}

/// An order and the groups of threads that it knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    pub kind: OrderKind,
    /// The group of each thread; further threads are groups of their own.
    pub groups: Vec<u32>,
}

impl Order {
    pub fn new(kind: OrderKind) -> Self {
        Self { kind, groups: Vec::new() }
    }

    pub fn reduces(&self) -> bool {
        self.kind != OrderKind::None
    }

    fn group(&self, thread: u32) -> u32 {
        self.groups.get(thread as usize).copied().unwrap_or(thread + 1000)
    }

    /// The threads in the order in which they are preferred, in a state of the order.
    pub fn preferred(&self, state: u32, threads: &[u32]) -> Vec<u32> {
        let mut sorted = threads.to_vec();
        match self.kind {
            OrderKind::None | OrderKind::Sequential => {}
            OrderKind::Loop | OrderKind::OuterLoop | OrderKind::Step => {
                sorted.sort_by_key(|&thread| (thread < state, thread));
            }
            OrderKind::Group => sorted.sort_by_key(|&thread| {
                let group = self.group(thread);
                (group < state, group, thread)
            }),
        }
        sorted
    }

    /// The state of the order after a step.
    pub fn next(&self, state: u32, thread: u32, enters_loop: bool, enters_outermost_loop: bool) -> u32 {
        match self.kind {
            OrderKind::None | OrderKind::Sequential => 0,
            OrderKind::Loop if enters_loop => thread + 1,
            OrderKind::OuterLoop if enters_outermost_loop => thread + 1,
            OrderKind::Step => thread + 1,
            OrderKind::Group if enters_loop => self.group(thread) + 1,
            _ => state,
        }
    }
}
