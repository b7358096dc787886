//! Where a `switch` goes.

use base::Span;
use program::{BinaryOp as Op, Operand, Rvalue, TerminatorKind, Type};

use super::Emitter;
use super::frame::Position;
use super::jump::Switch;
use crate::ctype::TypeId;

/// A `case` range of at most this many values becomes single cases.
const MAX_LISTED_RANGE: i128 = 256;

impl Emitter<'_, '_> {
    pub fn dispatch(
        &mut self,
        value: Operand,
        ty: TypeId,
        switch: Switch,
        position: &Position,
        exit: program::BlockId,
        span: Span,
    ) {
        let register = self.register_type(ty);
        let bits = register.bits(self.link.types.model);
        let mut cases: Vec<(u64, program::BlockId)> = Vec::new();
        let mut wide = Vec::new();
        for case in &switch.cases {
            let target = self.case_target(case.block, position, &case.position, span);
            if case.high - case.low >= MAX_LISTED_RANGE {
                wide.push((case.low, case.high, target));
                continue;
            }
            for number in case.low..=case.high {
                let Operand::Int { value, .. } = Operand::int(bits, number as u64) else { continue };
                if cases.iter().all(|(known, _)| *known != value) {
                    cases.push((value, target));
                }
            }
        }
        let default = match &switch.default {
            Some((block, to)) => self.case_target(*block, position, to, span),
            None => exit,
        };
        for (low, high, target) in wide {
            self.range_test(value, ty, low, high, target, span);
        }
        let kind = match (value, cases.is_empty()) {
            (_, true) => TerminatorKind::Goto(default),
            (Operand::Int { value, .. }, _) => {
                let found = cases.iter().find(|(case, _)| *case == value);
                TerminatorKind::Goto(found.map_or(default, |(_, block)| *block))
            }
            _ => TerminatorKind::Switch { value, ty: register, cases, default },
        };
        self.builder.terminate(kind, span);
    }

    /// The block to jump to: the case itself, or one that first begins the objects it is jumped past.
    fn case_target(&mut self, block: program::BlockId, from: &Position, to: &Position, span: Span) -> program::BlockId {
        if !self.is_long_way(from, to) {
            return block;
        }
        let home = self.builder.current;
        let step = self.builder.new_block();
        self.builder.switch_to(step);
        self.travel(from, to, span);
        self.builder.goto(block, span);
        self.builder.switch_to(home);
        step
    }

    fn range_test(&mut self, value: Operand, ty: TypeId, low: i128, high: i128, target: program::BlockId, span: Span) {
        let register = self.register_type(ty);
        let bits = register.bits(self.link.types.model);
        // low <= value <= high, as one unsigned comparison of the distance from low.
        let base = Operand::int(bits, low as u64);
        let distance = Rvalue::Binary { op: Op::Sub, ty: register, left: value, right: base, signed: false };
        let distance = self.builder.compute(distance, register, span);
        let span_of_range = Operand::int(bits, (high - low) as u64);
        let test = Rvalue::Binary { op: Op::Ule, ty: register, left: distance, right: span_of_range, signed: false };
        let test = self.builder.compute(test, Type::BOOL, span);
        let rest = self.builder.new_block();
        self.builder.branch(test, target, rest, span);
        self.builder.switch_to(rest);
    }

    /// Control falls into the labelled code from above.
    pub fn open_case_block(&mut self, span: Span) -> program::BlockId {
        let block = self.builder.new_block();
        self.builder.goto(block, span);
        self.builder.switch_to(block);
        block
    }
}
