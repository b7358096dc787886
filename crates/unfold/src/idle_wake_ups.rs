//! Spurious wake-ups that come to nothing. A thread in `while (!ready) pthread_cond_wait(&c, &m);` may wake up spuriously any
//! number of times, find that it has to wait still, and wait again. Such an execution is not followed beyond the second wait:
//! leave out everything from the wake-up to that wait, and the thread simply waits on. The other threads see no difference if,
//! in between,
//!
//! - the thread has done nothing, and comes to the wait with the registers that matter as they were at the wait before;
//! - nobody has signalled the condition, which would have met the thread among the waiters. A signal from a thread that
//!   holds the mutex cannot come in between. Every other signal writes its own number into a cell of the condition, which
//!   the waiter looks at when it wakes up and when it waits again;
//! - nobody has found out that the thread held the mutex. That is all of `trylock` and its like, and of initialisations: a program
//!   that has them is followed in full.
//!
//! A wake-up that is spurious but finds its condition true is followed, of course. See decision 0016.

use events::{CellKey, CellPart};
use program::{InstructionKind, Location, Program, SyncOp};
use symbolic::SymValue;
use sync::{Field, ObjectKind};
use terms::{TermId, Terms};

use crate::critical_section::Lock;
use crate::idle_rounds::Round;
use crate::memory::Place;
use crate::state::State;
use crate::unfolder::{Activation, Failure, Site, Unfolder};

/// The last wait on a condition, and what the thread has done since it woke up.
#[derive(Clone, Debug)]
pub struct WakeUp {
    /// Where the wait began.
    location: Location,
    activation: u32,
    /// With the registers at the beginning of the wait.
    pub since: Round,
    /// Whether it woke up spuriously; not known before it wakes up.
    spurious: Option<TermId>,
    /// The number of the last signal without the mutex, as seen when it woke up.
    signal: Option<TermId>,
}

impl WakeUp {
    pub fn merge(terms: &mut Terms, condition: TermId, a: Option<&WakeUp>, b: Option<&WakeUp>) -> Option<WakeUp> {
        let (a, b) = (a?, b?);
        if (a.location, a.activation) != (b.location, b.activation) {
            return None;
        }
        let mut either = |a: Option<TermId>, b: Option<TermId>| Some(terms.ite(condition, a?, b?));
        let (spurious, signal) = (either(a.spurious, b.spurious), either(a.signal, b.signal));
        let since = Round::merge(terms, condition, &a.since, &b.since);
        Some(WakeUp { since, spurious, signal, ..a.clone() })
    }
}

/// Whether operations of the program may find out that a thread holds a mutex without waiting for it.
pub fn has_probes(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let is_probe = |op: SyncOp| sync::class(op).only_tries() && sync::action(op).objects[0] == ObjectKind::Mutex;
    blocks
        .flat_map(|block| &block.instructions)
        .any(|instruction| matches!(instruction.kind, InstructionKind::Sync { op, .. } if is_probe(op)))
}

impl Unfolder<'_> {
    fn leaves_out_wake_ups(&self, state: &State) -> bool {
        self.options.optimisations.idle_rounds && !self.is_modular() && state.atomic.is_none() && !self.has_probes
    }

    /// A wait on a condition begins: not where the last one ended spuriously and nothing has happened since.
    pub fn begin_wait(
        &mut self,
        state: &mut State,
        activation: &Activation,
        (conditions, mutexes): (&[Place], &[Place]),
        site: &Site,
    ) -> Result<(), Failure> {
        if !self.leaves_out_wake_ups(state) || self.survey.resets_mutexes() {
            state.last_wake_up = None;
            return Ok(());
        }
        for place in conditions {
            for mutex in mutexes {
                let lock = Lock { object: mutex.object, offset: mutex.offset };
                self.survey.note_partner((place.object, place.offset), lock);
            }
        }
        let live = self.live_registers(site.location);
        let own = (site.location, activation.number);
        if let Some(last) = state.last_wake_up.take().filter(|last| (last.location, last.activation) == own)
            && let (Some(spurious), Some(signal)) = (last.spurious, last.signal)
        {
            let now = self.last_signal(state, conditions, site)?;
            let is_quiet = self.terms().eq(now, signal);
            let active = state.has_acted(&mut self.graph.terms, &last.since, &live);
            let inactive = self.terms().not(active);
            let idle = self.terms().and_all(&[spurious, inactive, is_quiet]);
            let goes_on = self.terms().not(idle);
            self.assume(state, goes_on);
        }
        let (location, activation) = own;
        let since = Round::new(&self.graph.terms, state.registers.clone());
        state.last_wake_up = Some(WakeUp { location, activation, since, spurious: None, signal: None });
        Ok(())
    }

    /// The wait has ended, by a signal or spuriously.
    pub fn end_wait(
        &mut self,
        state: &mut State,
        spurious: TermId,
        conditions: &[Place],
        site: &Site,
    ) -> Result<(), Failure> {
        let Some(mut last) = state.last_wake_up.take() else { return Ok(()) };
        last.signal = Some(self.last_signal(state, conditions, site)?);
        last.spurious = Some(spurious);
        last.since.forget_deeds(&self.graph.terms);
        state.last_wake_up = Some(last);
        Ok(())
    }

    /// A condition is signalled, initialised or destroyed, which a thread that does not hold the mutex of its waiters may do
    /// while one of them is awake.
    pub fn number_signal(&mut self, state: &mut State, conditions: &[Place], site: &Site) -> Result<(), Failure> {
        if state.single || !self.options.optimisations.idle_rounds || self.is_modular() {
            return Ok(());
        }
        for place in conditions {
            let holds = |lock: Lock| state.locks.iter().any(|(held, _)| *held == lock) && self.survey.is_reliable(lock);
            // Without waiters there are no partners.
            if self.survey.partners((place.object, place.offset)).all(holds) {
                continue;
            }
            self.signals += 1;
            let number = self.signals;
            let number = SymValue::Int(self.terms().constant(u32::from(Field::Signals.bits()), number));
            self.write_cell(state, signal_cell(place), place.condition, &number, site)?;
        }
        Ok(())
    }

    fn last_signal(&mut self, state: &mut State, conditions: &[Place], site: &Site) -> Result<TermId, Failure> {
        let mut last = self.terms().constant(u32::from(Field::Signals.bits()), 0);
        for place in conditions {
            let value = self.read_cell(state, signal_cell(place), place.condition, site)?;
            let value = value.as_int().expect("the number of a signal should be a number");
            last = self.terms().ite(place.condition, value, last);
        }
        Ok(last)
    }
}

fn signal_cell(place: &Place) -> CellKey {
    let part = CellPart::Field(ObjectKind::Cond, Field::Signals);
    CellKey { object: place.object, offset: place.offset, part }
}
