//! Families of event graphs, each in satisfiable and unsatisfiable kinds.

use order::{AddressId, ChainId, EventId, EventKind};
use solve::Lit;

use crate::instance::{Builder, Instance};
use crate::rng::Rng;

/// How big an instance is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub events: usize,
    pub threads: usize,
    pub cells: usize,
}

/// A family makes an instance of about the given size; `flawed` asks for the kind that tends to be unsatisfiable.
pub type Family = fn(Size, &mut Rng, bool) -> Instance;

pub const FAMILIES: [(&str, Family); 8] = [
    ("random", random),
    ("values", values),
    ("guarded", guarded),
    ("messages", messages),
    ("rings", rings),
    ("sections", sections),
    ("counters", counters),
    ("exchanges", exchanges),
];

/// Random accesses, with the values (2 bits) that an actual run gave to 40 % of the reads. Flawed: to all
/// reads, and one of them differs.
fn values(size: Size, rng: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 2);
    let accesses = random_accesses(&mut builder, size, rng, 0, 4);
    let seen = run(&builder, rng, &accesses);
    observe_values(&mut builder, rng, &seen, flawed);
    builder.finish(name("values", flawed))
}

/// Like `values`, with a third of the accesses under free conditions and 1-bit values.
fn guarded(size: Size, rng: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 1);
    let accesses = random_accesses(&mut builder, size, rng, 33, 2);
    let seen = run(&builder, rng, &accesses);
    observe_values(&mut builder, rng, &seen, flawed);
    builder.finish(name("guarded", flawed))
}

fn observe_values(builder: &mut Builder, rng: &mut Rng, seen: &[(EventId, u64, EventId)], flawed: bool) {
    let percent = if flawed { 100 } else { 40 };
    let observed: Vec<_> = seen.iter().filter(|_| rng.chance(percent)).copied().collect();
    let wrong = if flawed { rng.below(observed.len().max(1)) } else { usize::MAX };
    for (index, &(read, value, _)) in observed.iter().enumerate() {
        let mask = (1 << builder.value(read).len()) - 1;
        builder.equals(read, if index == wrong { (value + 1) & mask } else { value });
    }
}

/// Random accesses without data; a third of the sources of an actual run are fixed. Flawed: some reads may not have the
/// source that the run gave them.
fn random(size: Size, rng: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 0);
    let accesses = random_accesses(&mut builder, size, rng, 0, 1);
    let seen = run(&builder, rng, &accesses);
    let mut instance = builder.finish(name("random", flawed));
    for &(read, _, source) in &seen {
        let fixed = rng.chance(34);
        let forbidden = flawed && !fixed && rng.chance(12);
        let candidates = instance.graph.read_froms().iter().find(|rf| rf.read == read && rf.write == source);
        let Some(lit) = candidates.map(|rf| rf.lit) else { continue };
        if fixed {
            instance.clauses.push(vec![lit]);
        } else if forbidden {
            instance.clauses.push(vec![!lit]);
        }
    }
    instance
}

/// Message passing round after round: a producer writes data and raises a flag; the next thread, if it sees the flag,
/// reads the data. Wanted: stale data. Unflawed producers raise the flag first in the first round.
fn messages(size: Size, _: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 1);
    let threads: Vec<ChainId> = (0..size.threads).map(|_| builder.thread()).collect();
    let rounds = size.events / (4 * size.threads);
    let buggy = if flawed { usize::MAX } else { 0 };
    let mut violations = Vec::new();
    let pairs = (size.cells / 2).max(1);
    for round in 0..rounds {
        for (index, &producer) in threads.iter().enumerate() {
            let consumer = threads[(index + 1) % threads.len()];
            let pair = (round * threads.len() + index) % pairs;
            let (data, flag) = (builder.cells[2 * pair], builder.cells[(2 * pair + 1) % size.cells]);
            let certain = builder.true_lit();
            let one = builder.constant(1);
            let order = if round == buggy { [flag, data] } else { [data, flag] };
            for cell in order {
                builder.write(producer, cell, certain, one.clone());
            }
            let seen = builder.read(consumer, flag, certain);
            let arrived = builder.value(seen)[0];
            let got = builder.read(consumer, data, arrived);
            let stale = builder.fresh();
            let zero = !builder.value(got)[0];
            builder.clause(&[!stale, arrived]);
            builder.clause(&[!stale, zero]);
            violations.push(stale);
        }
    }
    builder.clause(&violations);
    builder.finish(name("messages", flawed))
}

/// Store buffering in rings, round after round: everybody writes the number of the round to its cell of the round's
/// ring, and reads its neighbour's cell. Wanted: a round in which everybody sees the neighbour's number of the round
/// before (flawed), or everybody but one.
fn rings(size: Size, _: &mut Rng, flawed: bool) -> Instance {
    let rings = (size.cells / size.threads).max(1);
    let rounds = size.events / (2 * size.threads);
    let width = (rounds / rings + 2).next_power_of_two().trailing_zeros() as usize;
    let mut builder = Builder::new(size.cells.max(size.threads), width);
    let threads: Vec<ChainId> = (0..size.threads).map(|_| builder.thread()).collect();
    let mut wanted = Vec::new();
    for round in 0..rounds {
        let (ring, number) = (round % rings, (round / rings) as u64 + 1);
        let certain = builder.true_lit();
        let all = builder.fresh();
        for (index, &thread) in threads.iter().enumerate() {
            let own = builder.cells[ring * size.threads + index];
            let neighbour = builder.cells[ring * size.threads + (index + 1) % size.threads];
            builder.write(thread, own, certain, builder.constant(number));
            let read = builder.read(thread, neighbour, certain);
            if flawed || index > 0 {
                let stale = builder.is_value(read, number - 1);
                builder.clause(&[!all, stale]);
            }
        }
        wanted.push(all);
    }
    builder.clause(&wanted);
    builder.finish(name("rings", flawed))
}

/// Every thread, inside a critical section, writes its number and reads it back, and now and then outside of one.
/// Wanted: somebody reads another number inside a section. Unflawed: one access forgets to lock.
fn sections(size: Size, rng: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 3);
    let threads: Vec<ChainId> = (0..size.threads).map(|_| builder.thread()).collect();
    let locks: Vec<_> = (0..size.cells).map(|_| builder.graph.add_mutex()).collect();
    let rounds = size.events / (4 * size.threads);
    let buggy = if flawed { usize::MAX } else { rng.below(rounds.max(1)) };
    let certain = builder.true_lit();
    let mut violations = Vec::new();
    for round in 0..rounds {
        for (index, &thread) in threads.iter().enumerate() {
            let cell = rng.below(size.cells);
            let number = builder.constant(index as u64 + 1);
            if round == buggy && index == 0 {
                builder.write(thread, builder.cells[cell], certain, number);
                continue;
            }
            let lock = builder.graph.add_node(thread, certain);
            builder.write(thread, builder.cells[cell], certain, number);
            let read = builder.read(thread, builder.cells[cell], certain);
            let unlock = builder.graph.add_node(thread, certain);
            builder.graph.add_section(locks[cell], lock, vec![unlock]);
            let own = builder.is_value(read, index as u64 + 1);
            violations.push(!own);
        }
    }
    builder.clause(&violations);
    builder.finish(name("sections", flawed))
}

/// Locked increments (read, then write one more) of a few counters, the rest of the events being reads of other cells.
/// Wanted: a thread that reads back, within one section, another value than the one it wrote (flawed), or a counter
/// that reaches the number of its increments.
fn counters(size: Size, rng: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 4);
    let threads: Vec<ChainId> = (0..size.threads).map(|_| builder.thread()).collect();
    let locks: Vec<_> = (0..size.cells).map(|_| builder.graph.add_mutex()).collect();
    let rounds = size.events / (5 * size.threads);
    let certain = builder.true_lit();
    let mut violations = Vec::new();
    let mut last_reads: Vec<Vec<EventId>> = vec![Vec::new(); size.cells];
    for round in 0..rounds {
        for (index, &thread) in threads.iter().enumerate() {
            let cell = (round * size.threads + index + rng.below(2)) % size.cells;
            let lock = builder.graph.add_node(thread, certain);
            let before = builder.read(thread, builder.cells[cell], certain);
            let seen = builder.value(before).to_vec();
            let sum = builder.increment(&seen);
            builder.write(thread, builder.cells[cell], certain, sum.clone());
            let after = builder.read(thread, builder.cells[cell], certain);
            let unlock = builder.graph.add_node(thread, certain);
            builder.graph.add_section(locks[cell], lock, vec![unlock]);
            for (bit, &written) in sum.iter().enumerate() {
                let (differs, seen) = (builder.fresh(), builder.value(after)[bit]);
                builder.clause(&[!differs, seen, written]);
                builder.clause(&[!differs, !seen, !written]);
                violations.push(differs);
            }
            last_reads[cell].push(after);
        }
    }
    if flawed {
        builder.clause(&violations);
    } else {
        for reads in last_reads.iter().filter(|reads| !reads.is_empty() && reads.len() < 16) {
            let reached: Vec<Lit> = reads.iter().map(|&read| builder.is_value(read, reads.len() as u64)).collect();
            builder.clause(&reached);
        }
    }
    builder.finish(name("counters", flawed))
}

/// Atomic exchanges: read the old value and write one's own number, in one node. Wanted: two threads that both saw the
/// same write (flawed), or that the exchanges of some cells alternate between two threads.
fn exchanges(size: Size, rng: &mut Rng, flawed: bool) -> Instance {
    let mut builder = Builder::new(size.cells, 0);
    let threads: Vec<ChainId> = (0..size.threads).map(|_| builder.thread()).collect();
    let certain = builder.true_lit();
    let mut reads: Vec<Vec<EventId>> = vec![Vec::new(); size.cells];
    for _ in 0..size.events / (2 * size.threads) {
        for &thread in &threads {
            let cell = rng.below(size.cells);
            let node = builder.graph.add_node(thread, certain);
            let read = builder.read_in(node, builder.cells[cell], certain);
            builder.write_in(node, builder.cells[cell], certain, Vec::new());
            reads[cell].push(read);
        }
    }
    let mut instance = builder.finish(name("exchanges", flawed));
    let chain = |event: EventId| instance.graph.nodes()[instance.graph.events()[event].node].chain;
    let mut clauses = Vec::new();
    if flawed {
        let mut shared = Vec::new();
        let mut next = instance.variables;
        let froms: Vec<_> = instance.graph.read_froms().iter().copied().collect();
        for (index, a) in froms.iter().enumerate() {
            for b in froms[index + 1..].iter().filter(|b| b.write == a.write && b.read != a.read).take(3) {
                next += 1;
                let both = solve::Var::new(next).positive();
                clauses.push(vec![!both, a.lit]);
                clauses.push(vec![!both, b.lit]);
                shared.push(both);
            }
        }
        instance.variables = next;
        clauses.push(shared);
    } else {
        for &read in reads.iter().flat_map(|reads| reads.iter().skip(1)).filter(|_| rng.chance(30)) {
            let others =
                instance.graph.read_froms().iter().filter(|rf| rf.read == read && chain(rf.write) != chain(read));
            clauses.push(others.map(|rf| rf.lit).collect());
        }
    }
    instance.clauses.extend(clauses);
    instance
}

fn name(family: &str, flawed: bool) -> String {
    format!("{family}{}", if flawed { " (flawed)" } else { "" })
}

/// Half reads, half writes, spread over the threads; `guarded` percent under conditions, `domain` values.
fn random_accesses(
    builder: &mut Builder,
    size: Size,
    rng: &mut Rng,
    guarded: usize,
    domain: u64,
) -> Vec<(EventId, u64)> {
    let threads: Vec<ChainId> = (0..size.threads).map(|_| builder.thread()).collect();
    let mut accesses = Vec::new();
    for index in 0..size.events {
        let thread = threads[index % threads.len()];
        let cell: AddressId = builder.cells[rng.below(size.cells)];
        let guard = if rng.chance(guarded) { builder.fresh() } else { builder.true_lit() };
        let value = rng.next() % domain;
        let event = if rng.chance(50) {
            builder.read(thread, cell, guard)
        } else {
            builder.write(thread, cell, guard, builder.constant(value))
        };
        accesses.push((event, value));
    }
    accesses
}

/// Runs the accesses in a random interleaving, conditions by the toss of a coin, and says what each read saw: value and
/// source. Conditional reads are left out, since nobody says whether they run.
fn run(builder: &Builder, rng: &mut Rng, accesses: &[(EventId, u64)]) -> Vec<(EventId, u64, EventId)> {
    let graph = &builder.graph;
    let chain = |event: EventId| graph.nodes()[graph.events()[event].node].chain;
    let mut queues: Vec<Vec<(EventId, u64)>> = vec![Vec::new(); graph.chains().len()];
    accesses.iter().rev().for_each(|&access| queues[chain(access.0).0 as usize].push(access));
    let mut memory: Vec<(u64, EventId)> = builder.cells.iter().map(|cell| (0, EventId(cell.0))).collect();
    let mut seen = Vec::new();
    let mut left: Vec<usize> = (1..queues.len()).collect();
    while !left.is_empty() {
        let pick = rng.below(left.len());
        let Some((event, value)) = queues[left[pick]].pop() else {
            left.swap_remove(pick);
            continue;
        };
        let conditional = graph.events()[event].guard != builder.true_lit();
        let cell = &mut memory[graph.events()[event].address.0 as usize];
        match graph.events()[event].kind {
            EventKind::Write if !conditional || rng.chance(50) => *cell = (value, event),
            EventKind::Read if !conditional => seen.push((event, cell.0, cell.1)),
            _ => {}
        }
    }
    seen
}
