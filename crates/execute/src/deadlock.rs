//! Deadlocks, exactly as the design defines them.
//!
//! - *Global*: there is a live thread and every live thread is blocked. A thread that is stopped by an assume or cut, or
//!   before an atomic section that an assume forbids, is live and not blocked.
//! - *Local*: a non-empty set of blocked threads that each wait for owners, all of whom are in the set or have ended.
//!   The largest such set is the greatest fixpoint of throwing out threads with an owner that may still run.

use program::ThreadId;

use crate::machine::{Standing, Waiting};

/// The deadlocked threads and whether all live ones are; `None` if there is no deadlock.
pub fn find(standings: &[Standing]) -> Option<(Vec<Waiting>, bool)> {
    let live = standings.iter().filter(|standing| **standing != Standing::Ended);
    let blocked: Vec<&Waiting> = standings.iter().filter_map(waiting).collect();
    if blocked.is_empty() {
        return None;
    }
    let local = local_set(standings, blocked.clone());
    match () {
        () if !local.is_empty() => Some((local, blocked.len() == live.count())),
        () if blocked.len() == live.count() => Some((blocked.into_iter().cloned().collect(), true)),
        () => None,
    }
}

fn waiting(standing: &Standing) -> Option<&Waiting> {
    match standing {
        Standing::Blocked(waiting) => Some(waiting),
        _ => None,
    }
}

fn local_set(standings: &[Standing], blocked: Vec<&Waiting>) -> Vec<Waiting> {
    let mut set: Vec<&Waiting> = blocked.into_iter().filter(|waiting| !waiting.owners.is_empty()).collect();
    loop {
        let members: Vec<ThreadId> = set.iter().map(|waiting| waiting.thread).collect();
        let hopeless = |owner: &ThreadId| {
            members.contains(owner)
                || standings.get(owner.0 as usize).is_none_or(|standing| *standing == Standing::Ended)
        };
        let before = set.len();
        set.retain(|waiting| waiting.owners.iter().all(hopeless));
        if set.len() == before {
            return set.into_iter().cloned().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Site;
    use crate::machine::WaitedFor;

    fn blocked(thread: u32, owners: &[u32]) -> Standing {
        Standing::Blocked(Waiting {
            thread: ThreadId(thread),
            site: Site(0),
            object: WaitedFor::End(ThreadId(0)),
            owners: owners.iter().copied().map(ThreadId).collect(),
        })
    }

    fn threads(found: Option<(Vec<Waiting>, bool)>) -> Option<(Vec<u32>, bool)> {
        found.map(|(waiting, global)| (waiting.iter().map(|waiting| waiting.thread.0).collect(), global))
    }

    #[test]
    fn a_cycle_is_a_deadlock_even_beside_a_running_thread() {
        let standings = [Standing::Ready, blocked(1, &[2]), blocked(2, &[1])];
        assert_eq!(threads(find(&standings)), Some((vec![1, 2], false)));
    }

    #[test]
    fn waiting_for_a_runner_is_none_and_for_the_dead_is() {
        assert_eq!(find(&[Standing::Ready, blocked(1, &[0])]), None);
        assert_eq!(threads(find(&[Standing::Ready, blocked(1, &[2]), Standing::Ended])), Some((vec![1], false)));
    }

    #[test]
    fn waits_without_owner_count_only_globally() {
        assert_eq!(find(&[Standing::Ready, blocked(1, &[])]), None);
        assert_eq!(threads(find(&[blocked(0, &[1]), blocked(1, &[])])), Some((vec![0, 1], true)));
        assert_eq!(find(&[Standing::Stopped, blocked(1, &[])]), None);
    }

    #[test]
    fn all_owners_must_be_hopeless() {
        assert_eq!(find(&[Standing::Ready, blocked(1, &[0, 2]), blocked(2, &[1])]), None);
    }
}
