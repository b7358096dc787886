//! Spurious wake-ups that come to nothing. A thread in `while (!ready) pthread_cond_wait(&c, &m);` may wake up spuriously any
//! number of times, find that it is still blocked, and wait again. Such an execution is not followed beyond the second wait:
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
use crate::memory::CellRef;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::synchroniser::Synchroniser;
use crate::unfolder::{Activation, UnfoldFailure};

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

/// What is known of waits in the whole pass.
pub(crate) struct WakeUps {
    /// Whether operations may find out that a mutex is held without waiting for it.
    has_probes: bool,
    /// How many signals have got a number of their own.
    signals: u64,
}

impl WakeUps {
    pub fn new(program: &Program) -> Self {
        Self { has_probes: has_probes(program), signals: 0 }
    }
}

/// Whether operations of the program may find out that a thread holds a mutex without waiting for it.
fn has_probes(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let is_probe = |op: SyncOp| sync::class(op).only_tries() && sync::action(op).objects[0] == ObjectKind::Mutex;
    blocks
        .flat_map(|block| &block.instructions)
        .any(|instruction| matches!(instruction.kind, InstructionKind::Sync { op, .. } if is_probe(op)))
}

impl Synchroniser<'_> {
    fn follows_wake_ups(&self) -> bool {
        self.options.optimisations.idle_rounds && self.abstraction().leaves_out_wake_ups()
    }

    fn leaves_out_wake_ups(&self, state: &SymState) -> bool {
        self.follows_wake_ups() && state.atomic.is_none() && !self.wake_ups.has_probes
    }

    /// A wait on a condition begins: not where the last one ended spuriously and nothing has happened since.
    pub fn begin_wait(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        (conditions, mutexes): (&[CellRef], &[CellRef]),
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
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
        let live = self.live_registers(step.site.location);
        let own = (step.site.location, activation.number);
        if let Some(last) = state.last_wake_up.take().filter(|last| (last.location, last.activation) == own)
            && let (Some(spurious), Some(signal)) = (last.spurious, last.signal)
        {
            let now = self.last_signal(state, conditions, step)?;
            let is_quiet = self.terms().eq(now, signal);
            let active = state.has_acted(self.graph.terms(), &last.since, &live);
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
        state: &mut SymState,
        spurious: TermId,
        conditions: &[CellRef],
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let Some(mut last) = state.last_wake_up.take() else { return Ok(()) };
        last.signal = Some(self.last_signal(state, conditions, step)?);
        last.spurious = Some(spurious);
        last.since.forget_deeds(&self.graph.terms);
        state.last_wake_up = Some(last);
        Ok(())
    }

    /// A condition is signalled, initialised or destroyed, which a thread that does not hold the mutex of its waiters may do
    /// while one of them is awake.
    pub fn number_signal(
        &mut self,
        state: &mut SymState,
        conditions: &[CellRef],
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        if state.single || !self.follows_wake_ups() {
            return Ok(());
        }
        for place in conditions {
            let holds = |lock: Lock| state.locks.iter().any(|(held, _)| *held == lock) && self.survey.is_reliable(lock);
            // Without waiters there are no partners.
            if self.survey.partners((place.object, place.offset)).all(holds) {
                continue;
            }
            self.wake_ups.signals += 1;
            let number = self.wake_ups.signals;
            let number = SymValue::Int(self.terms().constant(u32::from(Field::Signals.bits()), number));
            self.write_cell(state, signal_cell(place), place.condition, &number, step)?;
        }
        Ok(())
    }

    fn last_signal(
        &mut self,
        state: &mut SymState,
        conditions: &[CellRef],
        step: &mut OpenStep,
    ) -> Result<TermId, UnfoldFailure> {
        let mut last = self.terms().constant(u32::from(Field::Signals.bits()), 0);
        for place in conditions {
            let value = self.read_cell(state, signal_cell(place), place.condition, step)?;
            let value = value.as_int().expect("the number of a signal should be a number");
            last = self.terms().ite(place.condition, value, last);
        }
        Ok(last)
    }
}

fn signal_cell(place: &CellRef) -> CellKey {
    let part = CellPart::Field(ObjectKind::Cond, Field::Signals);
    CellKey { object: place.object, offset: place.offset, part }
}
