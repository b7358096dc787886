//! Race freedom without bounds: a static analysis of the IR that discharges every pair of accesses that might race, or
//! says which ones it cannot; and deadlock freedom, by an order of everything that threads wait for ([`lock_order`]).
//!
//! It is an abstract interpretation of all threads ([`analysis`]): values as strided intervals, addresses and thread handles
//! ([`value`]), must-locksets ([`locking`]), thread identities with may-created and must-joined sets ([`ordering`]),
//! freshness of objects ([`transfer`]). The judge is the race detector of the interpreter; what counts as an access and
//! what orders two of them is said there and in the design, and followed here.
//!
//! Guarantee: if [`RaceSurvey::is_race_free`], no sequentially consistent execution has a data race, however long it
//! is. The argument is about the *first* race of an execution: up to it, whoever reads a pointer that another thread has
//! stored is ordered after that store, so what was done before publication is ordered before what readers do.
//!
//! Invariant: knows no C syntax, no solver and no interpreter.

mod access;
mod analysis;
mod arithmetic;
mod claims;
mod evaluate;
mod explain;
mod forget;
mod holding;
mod identity;
mod lock_order;
mod locking;
mod name;
mod notes;
mod ordering;
mod publication;
mod range;
mod refine;
mod renewal;
mod shared;
mod state;
mod survey;
mod transfer;
mod value;
mod waiting;
mod world;

pub use access::AbstractAccessKind;
pub use analysis::GivenUp;
pub use claims::{ClaimedGuard, Claims, ConcreteValue, claims};
pub use explain::explain;
pub use lock_order::{LockOrder, lock_order};
pub use survey::{RacePair, RaceSurvey, Reason, Side, survey};
pub use waiting::Obstacle;
