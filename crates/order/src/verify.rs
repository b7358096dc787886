//! The verifier of [`OrderGraph`]. Rules:
//!
//! 1. a read-from candidate goes from a write to a read of the same address;
//! 2. no two candidates have the same write and read;
//! 3. an edge joins nodes of two different chains;
//! 4. the unlock nodes of a section follow its lock node in its chain, in ascending order;
//! 5. for one mutex, a node locks at most one section, and no node both locks and unlocks;
//! 6. no two sections of one mutex and one chain share an unlock node unless they could not both be executed: this
//!    cannot be seen here, so only sections with *equal* lock guards are refused.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::graph::{EdgeId, EventKind, OrderGraph, ReadFromId, SectionId};

/// A violated rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defect {
    NotWriteToRead(ReadFromId),
    DifferentAddresses(ReadFromId),
    RepeatedReadFrom(ReadFromId),
    EdgeWithinChain(EdgeId),
    UnlockOutOfOrder(SectionId),
    LockedTwice(SectionId),
    LockIsUnlock(SectionId),
    SharedUnlock(SectionId, SectionId),
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::NotWriteToRead(rf) => write!(f, "{rf} does not lead from a write to a read"),
            Defect::DifferentAddresses(rf) => write!(f, "{rf} joins two addresses"),
            Defect::RepeatedReadFrom(rf) => write!(f, "{rf} repeats an earlier candidate"),
            Defect::EdgeWithinChain(edge) => write!(f, "{edge} stays within one chain"),
            Defect::UnlockOutOfOrder(section) => write!(f, "{section} has an unlock that is out of order"),
            Defect::LockedTwice(section) => write!(f, "{section} has a lock node that another section uses"),
            Defect::LockIsUnlock(section) => write!(f, "{section} has a lock node that unlocks the same mutex"),
            Defect::SharedUnlock(a, b) => write!(f, "{a} and {b} run together and share an unlock"),
        }
    }
}

impl OrderGraph {
    /// The violated rules, in the order of the rules and ids.
    pub fn verify(&self) -> Result<(), Vec<Defect>> {
        let mut defects = Vec::new();
        self.verify_read_froms(&mut defects);
        for (id, edge) in self.edges().iter_enumerated() {
            if self.nodes()[edge.from].chain == self.nodes()[edge.to].chain {
                defects.push(Defect::EdgeWithinChain(id));
            }
        }
        self.verify_sections(&mut defects);
        if defects.is_empty() { Ok(()) } else { Err(defects) }
    }

    fn verify_read_froms(&self, defects: &mut Vec<Defect>) {
        let mut seen = FxHashSet::default();
        for (id, rf) in self.read_froms().iter_enumerated() {
            let (write, read) = (self.events()[rf.write], self.events()[rf.read]);
            if (write.kind, read.kind) != (EventKind::Write, EventKind::Read) {
                defects.push(Defect::NotWriteToRead(id));
            }
            if write.address != read.address {
                defects.push(Defect::DifferentAddresses(id));
            }
            if !seen.insert((rf.write, rf.read)) {
                defects.push(Defect::RepeatedReadFrom(id));
            }
        }
    }

    fn verify_sections(&self, defects: &mut Vec<Defect>) {
        let mut locks = FxHashSet::default();
        for (id, section) in self.sections().iter_enumerated() {
            let mut previous = section.lock;
            for &unlock in &section.unlocks {
                if !self.program_order(previous, unlock) {
                    defects.push(Defect::UnlockOutOfOrder(id));
                }
                previous = unlock;
            }
            if !locks.insert((section.mutex, section.lock)) {
                defects.push(Defect::LockedTwice(id));
            }
        }
        for (id, section) in self.sections().iter_enumerated() {
            let same_mutex = self.sections().iter_enumerated().filter(|(_, other)| other.mutex == section.mutex);
            for (other_id, other) in same_mutex {
                if other.unlocks.contains(&section.lock) {
                    defects.push(Defect::LockIsUnlock(id));
                }
                let together = self.nodes()[section.lock].guard == self.nodes()[other.lock].guard;
                let shared = section.unlocks.iter().any(|unlock| other.unlocks.contains(unlock));
                if id < other_id && together && shared {
                    defects.push(Defect::SharedUnlock(id, other_id));
                }
            }
        }
    }
}
