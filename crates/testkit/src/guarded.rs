//! Generated programs with discipline. Most random programs race at once, which tells little about an engine that looks
//! for races; here nearly every statement of a thread stands under a guard, mostly the same one, so that about half of
//! the programs are free of races and the others have one or two places to find.

use crate::c_program::{CProgram, Mutex, Rwlock, Statement};
use crate::features::{Feature, Features};
use crate::random::Random;

/// Puts the statements of all threads, and those of `main` before the joins, under guards.
pub fn guard(program: &mut CProgram, seed: u64, features: Features) {
    let mut random = Random::new(seed ^ 0x6775_6172_6465_6421);
    let usual = kinds(features)[random.below(kinds(features).len())];
    for body in &mut program.threads {
        guard_all(body, usual, features, &mut random);
    }
    let before = program.main.iter().position(|statement| matches!(statement, Statement::Join(_)));
    let mut rest = program.main.split_off(before.unwrap_or(program.main.len()));
    guard_all(&mut program.main, usual, features, &mut random);
    program.main.append(&mut rest);
}

#[derive(Clone, Copy)]
enum GuardKind {
    Lock,
    Section,
    WriteLock,
}

fn kinds(features: Features) -> Vec<GuardKind> {
    let mut kinds = vec![GuardKind::Lock, GuardKind::Lock];
    if features.contains(Feature::AtomicSections) {
        kinds.push(GuardKind::Section);
    }
    if features.contains(Feature::Rwlocks) {
        kinds.push(GuardKind::WriteLock);
    }
    kinds
}

fn guard_all(body: &mut [Statement], usual: GuardKind, features: Features, random: &mut Random) {
    for statement in body {
        let guard = match random.below(100) {
            0..=91 => usual,
            92..=96 => kinds(features)[random.below(kinds(features).len())],
            _ => continue,
        };
        if can_be_guarded(statement) {
            let inner = vec![std::mem::replace(statement, Statement::Return)];
            *statement = match guard {
                GuardKind::Lock => Statement::Locked(Mutex(0), inner),
                GuardKind::Section => Statement::Atomic(inner),
                GuardKind::WriteLock => Statement::WriteLocked(Rwlock(0), inner),
            };
        }
    }
}

/// Statements that block or leave would wait for ever, or for nothing, under a guard.
fn can_be_guarded(statement: &Statement) -> bool {
    let is_plain = !matches!(
        statement,
        Statement::Spin(_)
            | Statement::Break
            | Statement::Return
            | Statement::Atomic(_)
            | Statement::Locked(..)
            | Statement::Misnested { .. }
            | Statement::TryLocked(..)
            | Statement::ReadLocked(..)
            | Statement::WriteLocked(..)
            | Statement::WaitFor { .. }
            | Statement::TimedWait { .. }
            | Statement::Attempt { .. }
            | Statement::Notify { .. }
            | Statement::SemaphoreWait(_)
            | Statement::SemaphorePost(_)
            | Statement::BarrierWait(_)
            | Statement::Create(_)
            | Statement::Join(_)
            | Statement::JoinInto(..)
    );
    is_plain && statement.blocks().into_iter().flatten().all(can_be_guarded)
}
