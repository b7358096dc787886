//! Which reorderings of a recorded run are looked at: the concurrent trace program of the paper, or one of the models
//! that it is compared with (§7).

/// See the variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Every feasible reordering in which each thread executes a prefix of what it did in the run (§3.2, §5.3).
    #[default]
    Full,
    /// Besides, every read of shared memory gives what it gave in the run, except where its value only goes into an
    /// assertion or is joined: the maximal causal model (§7.1). Of pointers only that is kept which branches say about
    /// them.
    Constrained,
    /// Values are ignored: branches always go where they went, and a read gives anything (§7.2). Synchronisation and
    /// pointers are as they are. What is found here may be impossible.
    Relaxed,
}
