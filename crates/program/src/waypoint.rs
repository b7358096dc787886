//! Waypoints: an execution told by somebody else, as far as they tell it. A witness is a row of them.

/// A thread by the name that the witness gives it, in the order in which the names appear: 0 is the main thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WitnessThread(pub u32);

/// Something that happens next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waypoint {
    /// Who acts; the same as before where nobody says.
    pub thread: Option<WitnessThread>,
    /// The line of the program on which it happens.
    pub line: Option<u32>,
    /// The values of the inputs that are taken here.
    pub inputs: Vec<i128>,
    /// The thread that is created here.
    pub creates: Option<WitnessThread>,
}
