//! Questions that do not depend on each other, answered by several threads.
//!
//! Guarantee: the answers do not depend on the number of threads. What a solver has learned from one question changes which
//! model it finds for the next one, so questions are put into *parts* of a fixed size, each with a solver of its own; only
//! who works on which part differs.

use std::sync::atomic::{AtomicUsize, Ordering};

use engines::EngineBug;

/// Does `work` for every number below `parts` and returns the results in their order. At most `jobs` threads work at a time,
/// the present one with `own`, the others with what `prepare` makes for them; if that is nothing, they do not help.
pub fn in_parallel<C, T: Send>(
    jobs: usize,
    parts: usize,
    own: &C,
    prepare: impl Fn() -> Option<C> + Sync,
    work: impl Fn(&C, usize) -> T + Sync,
) -> Result<Vec<T>, EngineBug> {
    let next = AtomicUsize::new(0);
    let take_all = |context: &C| {
        let parts = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&part| part < parts));
        parts.map(|part| (part, work(context, part))).collect::<Vec<(usize, T)>>()
    };
    let mut done = std::thread::scope(|scope| {
        let helpers = jobs.clamp(1, parts.max(1)) - 1;
        let others: Vec<_> = (0..helpers).map(|_| scope.spawn(|| prepare().map(|own| take_all(&own)))).collect();
        let mut done = take_all(own);
        for other in others {
            let more = other.join().map_err(|_| EngineBug("a search has panicked".to_owned()))?;
            done.extend(more.into_iter().flatten());
        }
        Ok::<_, EngineBug>(done)
    })?;
    done.sort_by_key(|(part, _)| *part);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// The members of a part, if so many make up one.
pub fn part(number: usize, size: usize, all: usize) -> std::ops::Range<usize> {
    let start = (number * size).min(all);
    start..(start + size).min(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whoever_made_them() {
        for jobs in [0, 1, 2, 7] {
            for parts in [0, 1, 5] {
                for help in [Some(1), None] {
                    let results = in_parallel(jobs, parts, &1, || help, |one, part| part + one);
                    assert_eq!(results.map_err(|bug| bug.to_string()), Ok((1..=parts).collect()));
                }
            }
        }
    }

    #[test]
    fn a_panic_of_a_helper_is_a_bug_of_ours() {
        let main = std::thread::current().id();
        let work = |_: &(), _| match std::thread::current().id() == main {
            true => std::thread::sleep(std::time::Duration::from_millis(50)),
            false => panic!("on purpose"),
        };
        assert!(in_parallel(2, 2, &(), || Some(()), work).is_err());
    }

    #[test]
    fn parts_cover_everything_once() {
        let members: Vec<usize> = (0..3).flat_map(|number| part(number, 4, 10)).collect();
        assert_eq!(members, (0..10).collect::<Vec<_>>());
        assert_eq!(part(3, 4, 10), 10..10);
    }
}
