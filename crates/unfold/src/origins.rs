//! Which object is which, from one pass to the next. An object is known by the thread that makes it, the instruction, the
//! calls that lead there, and how many this instruction has made in this calling context before. So what one caller gets
//! from an allocator stays apart from what another one gets, even where a later pass follows paths that earlier ones have
//! not met: the cells of one structure never become those of another.

use events::InstanceId;
use program::Location;
use rustc_hash::FxHashMap;

/// The calls that lead to a place, outermost first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ContextId(u32);

impl ContextId {
    pub const OUTERMOST: ContextId = ContextId(0);
}

/// How an object comes to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ObjectOrigin {
    pub instance: InstanceId,
    pub location: Location,
    pub context: ContextId,
    pub number: u32,
}

/// Numbers for contexts and objects, kept from pass to pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    contexts: FxHashMap<(ContextId, Location), ContextId>,
    ordinals: FxHashMap<ObjectOrigin, u32>,
    /// How many objects of each instruction of a thread are known.
    known: FxHashMap<(InstanceId, Location), u32>,
}

impl Origins {
    /// The context of what a call made in another context leads to.
    pub fn context(&mut self, context: ContextId, call: Location) -> ContextId {
        let next = ContextId(self.contexts.len() as u32 + 1);
        *self.contexts.entry((context, call)).or_insert(next)
    }

    /// A number for the object, among those that its instruction makes in its thread.
    pub fn ordinal(&mut self, origin: ObjectOrigin) -> u32 {
        let Self { ordinals, known, .. } = self;
        *ordinals.entry(origin).or_insert_with(|| {
            let known = known.entry((origin.instance, origin.location)).or_insert(0);
            *known += 1;
            *known - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{BlockId, FunctionId};

    #[test]
    fn callers_keep_their_objects_when_others_turn_up() {
        let at = |index| Location { function: FunctionId(0), block: BlockId(0), index };
        let mut origins = Origins::default();
        let late = origins.context(ContextId::OUTERMOST, at(9));
        let object = |context, number| ObjectOrigin { instance: InstanceId(0), location: at(1), context, number };
        let seen_first = origins.ordinal(object(late, 0));
        let early = origins.context(ContextId::OUTERMOST, at(3));
        assert_ne!(early, late);
        assert_eq!(origins.ordinal(object(early, 0)), seen_first + 1);
        assert_eq!(origins.ordinal(object(late, 0)), seen_first);
        assert_eq!(origins.context(ContextId::OUTERMOST, at(9)), late);
    }
}
