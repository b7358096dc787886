//! A program printed back as C, together with the runtime of one policy: one translation unit that the system's compiler
//! turns into a process that records, or follows, a schedule.
//!
//! Guarantee: the process executes the instructions of the program, with the sizes, layouts and operators of the
//! interpreter, and takes its visible instructions one at a time. What differs: addresses are the machine's, so a program
//! that decides by the value of an address may go elsewhere (`follow.rs` notices); memory that C leaves indeterminate is
//! zero or what the schedule says.

use std::fmt::Write;

use program::instruction::InstructionKind;
use program::{Program, Property, Visibility};

use crate::c_function::{c_function, c_prototype, c_thread_start, property_number};
use crate::c_globals::c_globals;
use crate::c_sync::c_actions;
use crate::sites::Sites;

/// Who decides the order of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    Record,
    Replay,
}

const COMMON: &str = include_str!("runtime/common.c");
const RECORD: &str = include_str!("runtime/record.c");
const REPLAY: &str = include_str!("runtime/replay.c");
const SYNC_OBJECTS: &str = include_str!("runtime/sync_objects.c");
const THREADS: &str = include_str!("runtime/threads.c");
const OUTPUT: &str = include_str!("runtime/output.c");
const OUTSIDE: &str = include_str!("runtime/outside.c");
const ANSWERS: &str = include_str!("runtime/answers.c");
const TOLD: &str = include_str!("runtime/told.c");
const MAIN: &str = include_str!("runtime/main.c");

pub fn c_program(program: &Program, visibility: &Visibility, sites: &Sites, policy: Policy) -> String {
    let mut out = String::from(COMMON);
    let _ = writeln!(out, "#define GR_HAS_SECTIONS {}", u8::from(has_sections(program)));
    let _ = writeln!(out, "#define GR_LOCK_MISUSE {}", property_number(Property::LockMisuse));
    out += match policy {
        Policy::Record => RECORD,
        Policy::Replay => REPLAY,
    };
    out += SYNC_OBJECTS;
    out += THREADS;
    c_actions(program, &mut out);
    out += OUTPUT;
    out += OUTSIDE;
    out += ANSWERS;
    out += TOLD;
    for (id, function) in program.functions.iter_enumerated() {
        let _ = writeln!(out, "{};", c_prototype(id, function));
    }
    c_globals(program, &mut out);
    for (id, function) in program.functions.iter_enumerated() {
        out += &c_thread_start(id, function);
    }
    for id in program.functions.ids() {
        c_function(program, visibility, sites, id, &mut out);
    }
    let _ = writeln!(out, "static void gr_entry(void) {{ {}(); }}", program.entry);
    out + MAIN
}

fn has_sections(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| matches!(instruction.kind, InstructionKind::AtomicBegin))
}
