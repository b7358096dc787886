//! Happens-before as C11 5.1.2.4 words it, by brute force over a sequence of accesses, against the clocks of [`crate::race`].

use crate::code::Site;
use crate::race::{Accessor, RaceAccessKind, RaceOrder, Shadow};

const THREADS: u32 = 3;
const LOCATIONS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Access { location: usize, kind: RaceAccessKind },
    Fence { acquires: bool, releases: bool },
}

#[derive(Clone, Copy, Debug)]
struct ReferenceEvent {
    thread: u32,
    act: Act,
}

impl ReferenceEvent {
    fn access(&self) -> Option<(usize, RaceAccessKind)> {
        match self.act {
            Act::Access { location, kind } => Some((location, kind)),
            Act::Fence { .. } => None,
        }
    }

    fn writes(&self, location: usize) -> bool {
        self.access().is_some_and(|(own, kind)| own == location && kind.writes())
    }

    fn is_update(&self) -> bool {
        matches!(self.access(), Some((_, RaceAccessKind::AtomicUpdate { .. })))
    }

    fn is_atomic_write(&self) -> bool {
        self.access().is_some_and(|(_, kind)| kind.writes() && kind.is_atomic())
    }

    fn is_atomic_read(&self) -> bool {
        matches!(self.access(), Some((_, RaceAccessKind::AtomicRead { .. } | RaceAccessKind::AtomicUpdate { .. })))
    }

    fn acquires(&self) -> bool {
        match self.act {
            Act::Access { kind: RaceAccessKind::AtomicRead { acquires }, .. }
            | Act::Access { kind: RaceAccessKind::AtomicUpdate { acquires, .. }, .. }
            | Act::Fence { acquires, .. } => acquires,
            Act::Access { .. } => false,
        }
    }

    fn releases(&self) -> bool {
        match self.act {
            Act::Access { kind: RaceAccessKind::AtomicWrite { releases }, .. }
            | Act::Access { kind: RaceAccessKind::AtomicUpdate { releases, .. }, .. }
            | Act::Fence { releases, .. } => releases,
            Act::Access { .. } => false,
        }
    }

    fn is_fence(&self) -> bool {
        matches!(self.act, Act::Fence { .. })
    }
}

/// Whether the write `last` is in the release sequence that `head` heads, or would head if it were a release.
fn in_sequence(events: &[ReferenceEvent], head: usize, last: usize) -> bool {
    let Some((location, _)) = events[head].access() else { return false };
    events[head].is_atomic_write()
        && events[last].writes(location)
        && head <= last
        && (head + 1..=last).filter(|&index| events[index].writes(location)).all(|index| {
            let event = &events[index];
            event.is_update() || (event.is_atomic_write() && event.thread == events[head].thread)
        })
}

/// The releases and acquires that the read at `read` joins: each release synchronises with each acquire.
fn synchronised(events: &[ReferenceEvent], read: usize) -> (Vec<usize>, Vec<usize>) {
    let (location, _) = events[read].access().expect("a read is an access");
    let Some(seen) = (0..read).rev().find(|&index| events[index].writes(location)) else { return Default::default() };
    let thread = events[read].thread;
    let heads: Vec<usize> = (0..=seen).filter(|&head| in_sequence(events, head, seen)).collect();
    let mut releases: Vec<usize> = heads.iter().copied().filter(|&head| events[head].releases()).collect();
    for &head in &heads {
        let own = |&index: &usize| events[index].thread == events[head].thread;
        releases.extend((0..head).filter(own).filter(|&index| events[index].is_fence() && events[index].releases()));
    }
    let mut acquires: Vec<usize> = if events[read].acquires() { vec![read] } else { Vec::new() };
    let later = (read + 1..events.len()).filter(|&index| events[index].thread == thread);
    acquires.extend(later.filter(|&index| events[index].is_fence() && events[index].acquires()));
    (releases, acquires)
}

/// The first access that races with an earlier one.
fn first_race(events: &[ReferenceEvent]) -> Option<usize> {
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    for (first, row) in before.iter_mut().enumerate() {
        for (second, known) in row.iter_mut().enumerate().skip(first + 1) {
            *known = events[first].thread == events[second].thread;
        }
    }
    for read in (0..count).filter(|&index| events[index].is_atomic_read()) {
        let (releases, acquires) = synchronised(events, read);
        releases.iter().for_each(|&release| acquires.iter().for_each(|&acquire| before[release][acquire] = true));
    }
    for middle in 0..count {
        for first in 0..count {
            if before[first][middle] {
                let rest = before[middle].clone();
                before[first].iter_mut().zip(rest).for_each(|(known, also)| *known |= also);
            }
        }
    }
    let conflict = |a: &ReferenceEvent, b: &ReferenceEvent| match (a.access(), b.access()) {
        (Some((here, one)), Some((there, other))) => {
            here == there && (one.writes() || other.writes()) && !(one.is_atomic() && other.is_atomic())
        }
        _ => false,
    };
    let races = |first: usize, second: usize| {
        let (a, b) = (&events[first], &events[second]);
        a.thread != b.thread && conflict(a, b) && !before[first][second]
    };
    (0..count).find(|&second| (0..second).any(|first| races(first, second)))
}

/// What the clocks say.
fn race_by_clocks(events: &[ReferenceEvent]) -> Option<usize> {
    let mut order = RaceOrder::new(true);
    (1..THREADS).for_each(|_| order.fork(0));
    let mut shadows = vec![Shadow::default(); LOCATIONS];
    events.iter().position(|event| match event.act {
        Act::Fence { acquires, releases } => {
            order.fence(event.thread, acquires, releases);
            false
        }
        Act::Access { location, kind } => {
            let by = Accessor { thread: event.thread, site: Site(0) };
            shadows[location].access(&mut order, by, kind, (0, 4), 4).is_err()
        }
    })
}

fn random(state: &mut u64, limit: u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) % limit
}

fn random_event(state: &mut u64) -> ReferenceEvent {
    let thread = random(state, u64::from(THREADS)) as u32;
    let (acquires, releases) = (random(state, 2) == 0, random(state, 2) == 0);
    // The first location is mostly plain, the others are mostly atomic.
    let location = random(state, LOCATIONS as u64) as usize;
    let plain = if location == 0 { 90 } else { 4 };
    let act = if random(state, 100) < 20 {
        Act::Fence { acquires, releases }
    } else if random(state, 100) < plain {
        let kind = if random(state, 2) == 0 { RaceAccessKind::Read } else { RaceAccessKind::Write };
        Act::Access { location, kind }
    } else {
        let kind = match random(state, 3) {
            0 => RaceAccessKind::AtomicRead { acquires },
            1 => RaceAccessKind::AtomicWrite { releases },
            _ => RaceAccessKind::AtomicUpdate { acquires, releases },
        };
        Act::Access { location, kind }
    };
    ReferenceEvent { thread, act }
}

#[test]
fn clocks_agree_with_the_definition() {
    let (mut races, mut orders) = (0, 0);
    for seed in 0..60_000u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed;
        let length = 2 + random(&mut state, 14) as usize;
        let events: Vec<ReferenceEvent> = (0..length).map(|_| random_event(&mut state)).collect();
        let expected = first_race(&events);
        assert_eq!(race_by_clocks(&events), expected, "seed {seed}: {events:#?}");
        match expected {
            Some(_) => races += 1,
            None => orders += 1,
        }
    }
    assert!(races > 1_000 && orders > 1_000, "{races} with a race, {orders} without");
}
