//! Data races by happens-before, in the manner of FastTrack (Flanagan and Freund, PLDI 2009): vector clocks for
//! threads, one *epoch* (thread and clock) for the last write and the last read of each stretch of memory, and lists
//! only where several reads are concurrent or accesses are atomic.
//!
//! Guarantee: the first race of an execution, as the design defines races, is reported at its second access; nothing
//! else is. After a race the bookkeeping is not meaningful, so the machine stops there.
//!
//! Differences from the paper:
//! 1. Memory is bytes. An object is divided into equal *granules*, as small as the smallest access so far; a smaller
//!    access divides the whole object further and copies what is known.
//! 2. Atomic accesses do not race with each other, and order threads as far as their memory orders say (C11 5.1.2.4): see
//!    [`ReleaseMessage`] for release sequences and [`Fences`] for fences. Each byte is a location of its own, so that
//!    atomic accesses of different widths may overlap: a read synchronises with every write that it sees a byte of.
//! 3. While there has been only one thread, nothing is recorded: all of it happens before every later thread.

use program::MemoryOrder;

use crate::code::Site;

/// How far each thread's past reaches; missing entries are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorClock(Vec<u32>);

impl VectorClock {
    #[inline]
    pub fn get(&self, thread: u32) -> u32 {
        self.0.get(thread as usize).copied().unwrap_or(0)
    }

    fn set(&mut self, thread: u32, clock: u32) {
        let index = thread as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = clock;
    }

    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, &theirs)| *mine = (*mine).max(theirs));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A thread and a value of its clock, in one word; zero is "never".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Epoch(u64);

impl Epoch {
    const NEVER: Epoch = Epoch(0);

    #[inline]
    pub fn new(thread: u32, clock: u32) -> Self {
        Self(u64::from(thread) << 32 | u64::from(clock))
    }

    #[inline]
    pub fn thread(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    pub fn clock(self) -> u32 {
        self.0 as u32
    }

    pub fn is_never(self) -> bool {
        self == Self::NEVER
    }

    #[inline]
    fn happens_before(self, clock: &VectorClock) -> bool {
        clock.get(self.thread()) >= self.clock()
    }
}

/// What the fences of one thread have to do with its atomic accesses.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// The past of the last release fence: what each later atomic write hands on, whatever its own order.
    pub released: VectorClock,
    /// What relaxed reads have seen the messages of: a later acquire fence is ordered after it. Kept only if there are
    /// such fences.
    pub seen: VectorClock,
}

/// Happens-before so far: a clock for each thread, one for atomic sections, and what fences need.
#[derive(Clone, Debug)]
pub struct RaceOrder {
    clocks: Vec<VectorClock>,
    sections: VectorClock,
    fences: Vec<Fences>,
    has_acquire_fences: bool,
}

impl RaceOrder {
    /// One thread, at the beginning. Without acquire fences what relaxed reads see is of no interest.
    pub fn new(has_acquire_fences: bool) -> Self {
        let mut first = VectorClock::default();
        first.set(0, 1);
        let fences = vec![Fences::default()];
        Self { clocks: vec![first], sections: VectorClock::default(), fences, has_acquire_fences }
    }

    pub fn single_threaded(&self) -> bool {
        self.clocks.len() == 1
    }

    #[inline]
    pub fn epoch(&self, thread: u32) -> Epoch {
        Epoch::new(thread, self.clocks[thread as usize].get(thread))
    }

    pub fn clock(&self, thread: u32) -> &VectorClock {
        &self.clocks[thread as usize]
    }

    pub fn sections(&self) -> &VectorClock {
        &self.sections
    }

    pub fn fences(&self, thread: u32) -> &Fences {
        &self.fences[thread as usize]
    }

    pub fn happens_before(&self, epoch: Epoch, thread: u32) -> bool {
        epoch.happens_before(&self.clocks[thread as usize])
    }

    /// Adds the next thread, which begins after everything its creator has done.
    pub fn fork(&mut self, parent: u32) {
        let child = self.clocks.len() as u32;
        let mut clock = self.release(parent);
        clock.set(child, 1);
        self.clocks.push(clock);
        self.fences.push(Fences::default());
    }

    pub fn join(&mut self, waiting: u32, ended: u32) {
        let clock = self.clocks[ended as usize].clone();
        self.acquire(waiting, &clock);
    }

    pub fn acquire(&mut self, thread: u32, clock: &VectorClock) {
        self.clocks[thread as usize].join(clock);
    }

    /// What a release hands on: the thread's past; what the thread does afterwards is not part of it.
    pub fn release(&mut self, thread: u32) -> VectorClock {
        let clock = &mut self.clocks[thread as usize];
        let past = clock.clone();
        clock.set(thread, past.get(thread) + 1);
        past
    }

    /// A fence: the acquire part before the release part.
    pub fn fence(&mut self, thread: u32, acquires: bool, releases: bool) {
        if acquires {
            let seen = std::mem::take(&mut self.fences[thread as usize].seen);
            self.acquire(thread, &seen);
        }
        if releases {
            self.fences[thread as usize].released = self.release(thread);
        }
    }

    /// An atomic read of a location with these messages.
    fn read_messages(&mut self, thread: u32, acquires: bool, messages: &[ReleaseMessage]) {
        let to = match acquires {
            true => &mut self.clocks[thread as usize],
            false if self.has_acquire_fences => &mut self.fences[thread as usize].seen,
            false => return,
        };
        messages.iter().for_each(|message| to.join(&message.clock));
    }

    /// What an atomic write hands on for its own part.
    fn message(&mut self, thread: u32, releases: bool) -> ReleaseMessage {
        let clock = if releases { self.release(thread) } else { self.fences[thread as usize].released.clone() };
        ReleaseMessage { head: thread, clock }
    }

    pub fn begin_section(&mut self, thread: u32) {
        self.clocks[thread as usize].join(&self.sections);
    }

    pub fn end_section(&mut self, thread: u32) {
        self.sections = self.release(thread);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceAccessKind {
    Read,
    Write,
    AtomicRead {
        acquires: bool,
    },
    AtomicWrite {
        releases: bool,
    },
    /// An atomic read and write in one.
    AtomicUpdate {
        acquires: bool,
        releases: bool,
    },
    /// An operation that changes a synchronisation object: an atomic write, which hands on what the operation releases and
    /// nothing by its bytes.
    Synchronise,
}

impl RaceAccessKind {
    pub fn read(order: MemoryOrder) -> Self {
        match order.is_atomic() {
            true => RaceAccessKind::AtomicRead { acquires: order.acquires() },
            false => RaceAccessKind::Read,
        }
    }

    pub fn write(order: MemoryOrder) -> Self {
        match order.is_atomic() {
            true => RaceAccessKind::AtomicWrite { releases: order.releases() },
            false => RaceAccessKind::Write,
        }
    }

    pub fn update(order: MemoryOrder) -> Self {
        match order.is_atomic() {
            true => RaceAccessKind::AtomicUpdate { acquires: order.acquires(), releases: order.releases() },
            false => RaceAccessKind::Write,
        }
    }

    pub fn writes(self) -> bool {
        match self {
            RaceAccessKind::Write
            | RaceAccessKind::AtomicWrite { .. }
            | RaceAccessKind::AtomicUpdate { .. }
            | RaceAccessKind::Synchronise => true,
            RaceAccessKind::Read | RaceAccessKind::AtomicRead { .. } => false,
        }
    }

    pub fn is_atomic(self) -> bool {
        !matches!(self, RaceAccessKind::Read | RaceAccessKind::Write)
    }
}

/// The other half of a race: an earlier access, not ordered before the present one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    pub thread: u32,
    pub site: Site,
    pub write: bool,
    pub atomic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RaceMark {
    epoch: Epoch,
    site: Site,
}

/// What is known of one granule.
#[derive(Clone, Copy, Debug)]
struct GranuleHistory {
    write: Epoch,
    /// The last plain read since the write.
    read: Epoch,
    write_site: Site,
    read_site: Site,
    /// Index plus one into the extras; zero for none.
    extra: u32,
}

/// What few granules need.
#[derive(Clone, Debug, Default)]
struct Extra {
    /// Plain reads concurrent with the last one.
    reads: Vec<RaceMark>,
    /// The last atomic accesses of each thread since the plain write.
    atomic_reads: Vec<RaceMark>,
    atomic_writes: Vec<RaceMark>,
    /// What an atomic read of the present value synchronises with, by thread.
    messages: Vec<ReleaseMessage>,
}

/// The present value belongs to a release sequence that `head` began: a read of it is ordered after `clock`. The clock is
/// that of a release write, or of the last release fence before a relaxed one. A sequence goes on with read-modify-writes
/// of any thread and with writes of the thread that began it, and ends with a write of another thread. Of
/// several sequences that one thread began, the latest hands on what all the others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseMessage {
    pub head: u32,
    pub clock: VectorClock,
}

/// Adds what a write hands on for its own part to the messages that stay in force.
fn add_message(messages: &mut Vec<ReleaseMessage>, own: &ReleaseMessage) {
    if own.clock.is_empty() {
        return;
    }
    match messages.binary_search_by_key(&own.head, |message| message.head) {
        Ok(index) => messages[index].clock.join(&own.clock),
        Err(index) => messages.insert(index, own.clone()),
    }
}

/// The access history of one object.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    /// Empty until the first access.
    cells: Vec<GranuleHistory>,
    extras: Vec<Extra>,
    /// Binary logarithm of the granule's bytes.
    granule: u32,
}

const FRESH: GranuleHistory =
    GranuleHistory { write: Epoch::NEVER, read: Epoch::NEVER, write_site: Site(0), read_site: Site(0), extra: 0 };

/// Who accesses, and from where.
#[derive(Clone, Copy, Debug)]
pub struct Accessor {
    pub thread: u32,
    pub site: Site,
}

impl Shadow {
    /// Records an access to `length` bytes of an object of `size` bytes.
    #[inline]
    pub fn access(
        &mut self,
        order: &mut RaceOrder,
        by: Accessor,
        kind: RaceAccessKind,
        (offset, length): (u64, u64),
        size: u64,
    ) -> Result<(), Earlier> {
        let epoch = order.epoch(by.thread);
        if length == 1 << self.granule
            && let Some(cell) = self.cells.get((offset >> self.granule) as usize)
            && offset & ((1 << self.granule) - 1) == 0
        {
            let again = match kind {
                RaceAccessKind::Read => cell.read == epoch,
                RaceAccessKind::Write => {
                    cell.write == epoch && cell.extra == 0 && (cell.read == Epoch::NEVER || cell.read == epoch)
                }
                _ => false,
            };
            if again {
                return Ok(());
            }
        }
        self.access_slowly(order, by, kind, (offset, length), size)
    }

    fn access_slowly(
        &mut self,
        order: &mut RaceOrder,
        by: Accessor,
        kind: RaceAccessKind,
        (offset, length): (u64, u64),
        size: u64,
    ) -> Result<(), Earlier> {
        if length == 0 {
            return Ok(());
        }
        self.refine((offset | length).trailing_zeros().min(3), size);
        let cells = (offset >> self.granule) as usize..((offset + length) >> self.granule) as usize;
        // What the access synchronises with comes before the access itself.
        if let RaceAccessKind::AtomicRead { acquires } | RaceAccessKind::AtomicUpdate { acquires, .. } = kind {
            for index in cells.clone() {
                if let Some(extra) = self.extra_of(index) {
                    order.read_messages(by.thread, acquires, &extra.messages);
                }
            }
        }
        for index in cells.clone() {
            self.check(&order.clocks[by.thread as usize], by.thread, kind, index)?;
        }
        let mark = RaceMark { epoch: order.epoch(by.thread), site: by.site };
        for index in cells.clone() {
            self.record(&order.clocks[by.thread as usize], kind, index, mark);
        }
        if let RaceAccessKind::AtomicWrite { releases } | RaceAccessKind::AtomicUpdate { releases, .. } = kind {
            let own = order.message(by.thread, releases);
            let is_update = matches!(kind, RaceAccessKind::AtomicUpdate { .. });
            for index in cells {
                let messages = &mut self.extra_mut(index).messages;
                messages.retain(|message| is_update || message.head == by.thread);
                add_message(messages, &own);
            }
        }
        Ok(())
    }

    /// Whether an access would race with an earlier one.
    pub fn would_race(
        &self,
        order: &RaceOrder,
        thread: u32,
        kind: RaceAccessKind,
        (offset, length): (u64, u64),
    ) -> bool {
        let clock = &order.clocks[thread as usize];
        let end = (offset + length).div_ceil(1 << self.granule) as usize;
        let cells = (offset >> self.granule) as usize..end.min(self.cells.len());
        cells.into_iter().any(|index| self.check(clock, thread, kind, index).is_err())
    }

    /// Checks the end of the object's life, a write to all of it.
    pub fn end_of_life(&self, order: &RaceOrder, thread: u32) -> Result<(), Earlier> {
        let clock = &order.clocks[thread as usize];
        (0..self.cells.len()).try_for_each(|index| self.check(clock, thread, RaceAccessKind::Write, index))
    }

    /// Makes granules as small as `granule` asks.
    fn refine(&mut self, granule: u32, size: u64) {
        if self.cells.is_empty() {
            self.granule = granule;
            self.cells = vec![FRESH; size.div_ceil(1 << granule) as usize];
        }
        while granule < self.granule {
            self.granule -= 1;
            let mut halves = Vec::with_capacity(self.cells.len() * 2);
            for cell in &self.cells {
                let mut other = *cell;
                if cell.extra != 0 {
                    self.extras.push(self.extras[cell.extra as usize - 1].clone());
                    other.extra = self.extras.len() as u32;
                }
                halves.extend([*cell, other]);
            }
            halves.truncate(size.div_ceil(1 << self.granule) as usize);
            self.cells = halves;
        }
    }

    fn extra_of(&self, index: usize) -> Option<&Extra> {
        (self.cells[index].extra as usize).checked_sub(1).map(|extra| &self.extras[extra])
    }

    fn extra_mut(&mut self, index: usize) -> &mut Extra {
        let cell = &mut self.cells[index];
        if cell.extra == 0 {
            self.extras.push(Extra::default());
            cell.extra = self.extras.len() as u32;
        }
        &mut self.extras[cell.extra as usize - 1]
    }

    fn check(&self, clock: &VectorClock, thread: u32, kind: RaceAccessKind, index: usize) -> Result<(), Earlier> {
        let unordered = |epoch: Epoch| epoch.thread() != thread && !epoch.happens_before(clock);
        let earlier = |epoch: Epoch, site, write, atomic| Err(Earlier { thread: epoch.thread(), site, write, atomic });
        let cell = &self.cells[index];
        if unordered(cell.write) {
            return earlier(cell.write, cell.write_site, true, false);
        }
        if kind.writes() && unordered(cell.read) {
            return earlier(cell.read, cell.read_site, false, false);
        }
        let Some(extra) = self.extra_of(index) else { return Ok(()) };
        let find = |marks: &[RaceMark]| marks.iter().find(|mark| unordered(mark.epoch)).copied();
        if kind.writes()
            && let Some(mark) = find(&extra.reads)
        {
            return earlier(mark.epoch, mark.site, false, false);
        }
        if !kind.is_atomic()
            && let Some(mark) = find(&extra.atomic_writes)
        {
            return earlier(mark.epoch, mark.site, true, true);
        }
        if kind == RaceAccessKind::Write
            && let Some(mark) = find(&extra.atomic_reads)
        {
            return earlier(mark.epoch, mark.site, false, true);
        }
        Ok(())
    }

    fn record(&mut self, clock: &VectorClock, kind: RaceAccessKind, index: usize, mark: RaceMark) {
        match kind {
            RaceAccessKind::Write => {
                let extra = self.cells[index].extra;
                if extra != 0 {
                    self.extras[extra as usize - 1] = Extra::default();
                }
                self.cells[index] = GranuleHistory {
                    write: mark.epoch,
                    read: Epoch::NEVER,
                    write_site: mark.site,
                    read_site: Site(0),
                    extra,
                };
            }
            RaceAccessKind::Read => self.record_read(clock, index, mark),
            RaceAccessKind::AtomicRead { .. } => remember(&mut self.extra_mut(index).atomic_reads, mark),
            RaceAccessKind::AtomicWrite { .. } | RaceAccessKind::AtomicUpdate { .. } | RaceAccessKind::Synchronise => {
                remember(&mut self.extra_mut(index).atomic_writes, mark)
            }
        }
    }

    fn record_read(&mut self, clock: &VectorClock, index: usize, mark: RaceMark) {
        let cell = self.cells[index];
        let other = cell.read.thread() != mark.epoch.thread();
        if other && !cell.read.happens_before(clock) {
            remember(&mut self.extra_mut(index).reads, RaceMark { epoch: cell.read, site: cell.read_site });
        }
        let cell = &mut self.cells[index];
        (cell.read, cell.read_site) = (mark.epoch, mark.site);
        if cell.extra != 0 {
            let reads = &mut self.extras[cell.extra as usize - 1].reads;
            reads.retain(|earlier| earlier.epoch.thread() != mark.epoch.thread());
        }
    }
}

/// Keeps the latest mark of each thread, sorted by thread.
fn remember(marks: &mut Vec<RaceMark>, mark: RaceMark) {
    match marks.binary_search_by_key(&mark.epoch.thread(), |earlier| earlier.epoch.thread()) {
        Ok(index) => marks[index] = mark,
        Err(index) => marks.insert(index, mark),
    }
}

/// One fact of an access history, for state hashing: where, what, and when.
#[derive(Clone, Copy, Debug)]
pub struct HistoryFact {
    /// Granule and kind of access.
    pub cell: u32,
    pub role: u8,
    pub epoch: Epoch,
}

impl Shadow {
    /// All recorded accesses in a fixed order.
    pub fn facts(&self) -> impl Iterator<Item = HistoryFact> + '_ {
        self.cells.iter().enumerate().flat_map(move |(index, cell)| {
            let fact = move |role, epoch| HistoryFact { cell: index as u32, role, epoch };
            let extra = self.extra_of(index);
            let marks = move |role, pick: fn(&Extra) -> &Vec<RaceMark>| {
                extra.into_iter().flat_map(move |extra| pick(extra).iter().map(move |mark| fact(role, mark.epoch)))
            };
            [fact(0, cell.write), fact(1, cell.read)]
                .into_iter()
                .filter(|fact| !fact.epoch.is_never())
                .chain(marks(1, |extra| &extra.reads))
                .chain(marks(2, |extra| &extra.atomic_reads))
                .chain(marks(3, |extra| &extra.atomic_writes))
        })
    }

    /// What atomic reads would synchronise with, by granule.
    pub fn messages(&self) -> impl Iterator<Item = (u32, &ReleaseMessage)> + '_ {
        (0..self.cells.len()).flat_map(move |index| {
            let messages = self.extra_of(index).map_or(&[][..], |extra| &extra.messages);
            messages.iter().map(move |message| (index as u32, message))
        })
    }

    pub fn granule(&self) -> u32 {
        if self.cells.is_empty() { 0 } else { self.granule + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_threads() -> RaceOrder {
        let mut order = RaceOrder::new(true);
        order.fork(0);
        order
    }

    fn by(thread: u32) -> Accessor {
        Accessor { thread, site: Site(thread) }
    }

    #[test]
    fn unordered_write_and_read_race_only_where_they_overlap() {
        let (mut order, mut shadow) = (two_threads(), Shadow::default());
        shadow.access(&mut order, by(0), RaceAccessKind::Write, (0, 4), 8).expect("first access");
        shadow.access(&mut order, by(1), RaceAccessKind::Read, (4, 4), 8).expect("other bytes");
        shadow.access(&mut order, by(1), RaceAccessKind::Write, (5, 1), 8).expect("finer granules");
        let race = shadow.access(&mut order, by(1), RaceAccessKind::Read, (3, 1), 8);
        assert_eq!(race, Err(Earlier { thread: 0, site: Site(0), write: true, atomic: false }));
    }

    #[test]
    fn concurrent_reads_are_all_remembered() {
        let (mut order, mut shadow) = (two_threads(), Shadow::default());
        order.fork(0);
        for thread in 0..2 {
            shadow.access(&mut order, by(thread), RaceAccessKind::Read, (0, 4), 4).expect("reads do not race");
        }
        let clock = order.release(1);
        order.acquire(2, &clock);
        let race = shadow.access(&mut order, by(2), RaceAccessKind::Write, (0, 4), 4).expect_err("thread 0 has read");
        assert_eq!(race.thread, 0);
    }

    #[test]
    fn atomic_write_orders_the_read_that_sees_it() {
        let (mut order, mut data, mut flag) = (two_threads(), Shadow::default(), Shadow::default());
        data.access(&mut order, by(0), RaceAccessKind::Write, (0, 4), 4).expect("first");
        flag.access(&mut order, by(0), RaceAccessKind::AtomicWrite { releases: true }, (0, 4), 4).expect("first");
        flag.access(&mut order, by(1), RaceAccessKind::AtomicRead { acquires: true }, (0, 4), 4).expect("atomic");
        data.access(&mut order, by(1), RaceAccessKind::Write, (0, 4), 4).expect("ordered by the flag");
        flag.access(&mut order, by(1), RaceAccessKind::AtomicWrite { releases: true }, (0, 4), 4)
            .expect("atomics do not race");
        flag.access(&mut order, by(0), RaceAccessKind::Read, (0, 4), 4).expect_err("a plain read races");
    }

    #[test]
    fn release_covers_only_the_past() {
        let (mut order, mut shadow) = (two_threads(), Shadow::default());
        let clock = order.release(0);
        shadow.access(&mut order, by(0), RaceAccessKind::Write, (0, 8), 8).expect("first");
        order.acquire(1, &clock);
        assert!(shadow.end_of_life(&order, 1).is_err());
        let clock = order.release(0);
        order.acquire(1, &clock);
        assert!(shadow.end_of_life(&order, 1).is_ok());
    }
}
