//! A proof of one program is no proof of another one with the same control flow that has an error.

use std::time::Duration;

use base::Budget;
use execute::replay;
use interp::{Attempt, AttemptLimits, Conclusion, OrderKind, PreferenceOrder};
use program::{
    Analyses, BinaryOp, Instruction, InstructionKind, Operand, Program, Property, PropertySet, Rvalue, TerminatorKind,
};
use proof::{ProofFile, program_hash};

use crate::engine_proofs::{program_of, programs, proof_of, safe_program};
use crate::mutations::{Dice, PRELUDE, PROGRAMS, check};

/// Mutants of each program.
const MUTANTS: usize = 3;

#[test]
fn proofs_of_other_programs_are_rejected() {
    let own = PROGRAMS.map(|text| (program_of(&format!("{PRELUDE}{text}")), Property::UnreachCall));
    let of_files = programs().into_iter().filter_map(|path| safe_program(&path));
    let mut dice = Dice(29);
    let (mut rejected, mut accepted, mut wrong) = (0, 0, 0);
    for (program, property) in own.into_iter().chain(of_files) {
        for order in [OrderKind::Loop, OrderKind::Step] {
            let Some(Ok(proof)) = proof_of(&program, property, order) else { continue };
            if check(&program, &proof).is_err() {
                continue;
            }
            for _ in 0..MUTANTS {
                let mut mutant = program.clone();
                if !mutate(&mut mutant, &mut dice) {
                    continue;
                }
                let transplant = ProofFile { program: program_hash(&mutant), ..proof.clone() };
                if check(&mutant, &transplant).is_err() {
                    rejected += 1;
                    wrong += u32::from(has_error(&mutant, property));
                    continue;
                }
                accepted += 1;
                assert!(!has_error(&mutant, property), "no proof of\n{mutant}\nis\n{transplant}");
            }
        }
    }
    eprintln!("{rejected} rejected, {wrong} of them with an error that the engine finds; {accepted} accepted");
    assert!(wrong >= 200, "only {wrong} mutants with an error");
}

/// Whether the engine finds an execution that violates the property.
fn has_error(program: &Program, property: Property) -> bool {
    let (analyses, asked) = (Analyses::new(program), PropertySet::of(&[property]));
    [OrderKind::Loop, OrderKind::None].into_iter().any(|order| {
        let budget = Budget::with_timeout(Duration::from_millis(300)).with_work(20_000);
        let limits = AttemptLimits::default();
        match Attempt::new(&analyses, asked).run(&PreferenceOrder::new(order), limits, &budget) {
            Ok(Conclusion::Violated(_, schedule)) => replay(&analyses, &schedule, asked, &Budget::unlimited()).is_ok(),
            _ => false,
        }
    })
}

/// Changes a constant, an operator, a branch or an initial value; whether there was something to change.
fn mutate(program: &mut Program, dice: &mut Dice) -> bool {
    if dice.below(6) == 0 {
        let all: Vec<_> = program.globals.ids().filter(|&id| !program.globals[id].read_only).collect();
        if all.is_empty() {
            return false;
        }
        let global = &mut program.globals[all[dice.below(all.len())]];
        if global.initial.indeterminate || !global.initial.relocations.is_empty() || global.size > 16 {
            return false;
        }
        global.initial.bytes.resize(global.size as usize, 0);
        global.initial.bytes[0] ^= 1;
        return true;
    }
    let mut blocks: Vec<_> = program
        .functions
        .iter_mut()
        .filter(|function| !function.built_in)
        .flat_map(|function| function.blocks.iter_mut())
        .collect();
    if blocks.is_empty() {
        return false;
    }
    let index = dice.below(blocks.len());
    let block = &mut blocks[index];
    if let TerminatorKind::Branch { then, otherwise, .. } = &mut block.terminator.kind
        && dice.below(3) == 0
    {
        std::mem::swap(then, otherwise);
        return true;
    }
    if block.instructions.is_empty() {
        return false;
    }
    let index = dice.below(block.instructions.len());
    change(&mut block.instructions[index], dice)
}

fn change(instruction: &mut Instruction, dice: &mut Dice) -> bool {
    match &mut instruction.kind {
        InstructionKind::Assign { value: Rvalue::Binary { op, left, right, .. }, .. } => {
            let swapped = match op {
                BinaryOp::Add => BinaryOp::Sub,
                BinaryOp::Sub => BinaryOp::Add,
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                BinaryOp::Slt => BinaryOp::Sle,
                BinaryOp::Sle => BinaryOp::Slt,
                BinaryOp::Ult => BinaryOp::Ule,
                BinaryOp::Ule => BinaryOp::Ult,
                _ => return shift(right),
            };
            if dice.below(2) == 0 && (shift(right) || shift(left)) {
                return true;
            }
            *op = swapped;
            true
        }
        InstructionKind::Store { value, .. } | InstructionKind::ReadModifyWrite { value, .. } => shift(value),
        // Two that begin and end together stay together: what is between is no section any more.
        InstructionKind::AtomicBegin | InstructionKind::AtomicEnd => {
            instruction.kind = InstructionKind::Yield;
            true
        }
        _ => false,
    }
}

/// Another constant.
fn shift(operand: &mut Operand) -> bool {
    match operand {
        Operand::Int { bits, value } if *bits > 1 => {
            *operand = Operand::int(*bits, value.wrapping_add(1));
            true
        }
        _ => false,
    }
}
