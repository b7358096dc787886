//! Which functions may go round for ever. Loops that count towards a bound do not, and neither do the models of library
//! functions; recursion is taken to end if there is a way around it.

use program::cfg::Cfg;
use program::loops::{Loop, Loops};
use program::{
    BinaryOp, BlockId, Callee, Function, FunctionId, InstructionKind, Operand, Program, RegisterId, Rvalue,
    TerminatorKind,
};
use rustc_hash::FxHashMap;

use base::ids::IdVec;

/// Whether some execution of the function may return.
pub fn returning(program: &Program) -> IdVec<FunctionId, bool> {
    let mut returns: IdVec<FunctionId, bool> = program.functions.ids().map(|_| false).collect();
    loop {
        let news: Vec<FunctionId> = program
            .functions
            .ids()
            .filter(|&id| !returns[id] && may_return(&program.functions[id], &returns))
            .collect();
        if news.is_empty() {
            return returns;
        }
        news.into_iter().for_each(|id| returns[id] = true);
    }
}

fn may_return(function: &Function, returns: &IdVec<FunctionId, bool>) -> bool {
    let mut seen: IdVec<BlockId, bool> = function.blocks.ids().map(|_| false).collect();
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id], true) {
            continue;
        }
        let block = &function.blocks[id];
        let ends_here = |kind: &InstructionKind| match kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } => !returns[*callee],
            _ => false,
        };
        if block.instructions.iter().any(|instruction| ends_here(&instruction.kind)) {
            continue;
        }
        if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
            return true;
        }
        work.extend(block.terminator.kind.successors());
    }
    false
}

/// Whether the function has a loop that is not known to end. `is_constant` says whether an address holds the same as long
/// as the function is executed.
pub fn may_loop_for_ever(function: &Function, is_constant: impl Fn(Operand) -> bool) -> bool {
    if function.built_in {
        return false;
    }
    let cfg = Cfg::new(function);
    let loops = Loops::new(&cfg);
    loops.iter().any(|(_, cycle)| !CountingLoop::new(function, cycle, &is_constant).ends(&cfg))
}

/// A loop that is asked whether it counts towards a bound.
struct CountingLoop<'a, F> {
    function: &'a Function,
    cycle: &'a Loop,
    is_constant: &'a F,
    /// What the loop computes, by the register that it is in.
    computed: FxHashMap<RegisterId, Vec<&'a InstructionKind>>,
}

impl<'a, F: Fn(Operand) -> bool> CountingLoop<'a, F> {
    fn new(function: &'a Function, cycle: &'a Loop, is_constant: &'a F) -> Self {
        let mut computed: FxHashMap<RegisterId, Vec<&InstructionKind>> = FxHashMap::default();
        for instruction in cycle.body.iter().flat_map(|&block| &function.blocks[block].instructions) {
            for target in instruction.kind.targets() {
                computed.entry(target).or_default().push(&instruction.kind);
            }
        }
        Self { function, cycle, is_constant, computed }
    }

    /// Whether every round passes a test that fails one day.
    fn ends(&self, cfg: &Cfg) -> bool {
        self.cycle.body.iter().any(|&block| {
            let TerminatorKind::Branch { condition, then, otherwise } = self.function.blocks[block].terminator.kind
            else {
                return false;
            };
            let leaves = !self.cycle.body.contains(&then) || !self.cycle.body.contains(&otherwise);
            let in_every_round = self.cycle.back_edges.iter().all(|&(source, _)| cfg.dominates(block, source));
            leaves && in_every_round && self.fails_one_day(condition)
        })
    }

    fn fails_one_day(&self, condition: Operand) -> bool {
        match self.definition(condition) {
            Some(&InstructionKind::Assign { value: Rvalue::Binary { op, left, right, .. }, .. })
                if op.is_comparison() =>
            {
                self.is_counter(left) && self.is_fixed(right) || self.is_fixed(left) && self.is_counter(right)
            }
            Some(&InstructionKind::Assign { value: Rvalue::Binary { op: BinaryOp::And, left, right, .. }, .. }) => {
                self.fails_one_day(left) || self.fails_one_day(right)
            }
            Some(&InstructionKind::Assign {
                value: Rvalue::Use(operand) | Rvalue::Unary { operand, .. } | Rvalue::Cast { operand, .. },
                ..
            }) => self.fails_one_day(operand),
            _ => false,
        }
    }

    /// The one instruction of the loop that computes the operand.
    fn definition(&self, operand: Operand) -> Option<&'a InstructionKind> {
        let Operand::Register(register) = operand else { return None };
        match self.computed.get(&register)?.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether the operand is the same in every round.
    fn is_fixed(&self, operand: Operand) -> bool {
        let Operand::Register(register) = operand else { return true };
        if !self.computed.contains_key(&register) {
            return true;
        }
        match self.definition(operand) {
            Some(InstructionKind::Load { address, .. }) => (self.is_constant)(*address),
            Some(InstructionKind::Assign {
                value: Rvalue::Use(inner) | Rvalue::Cast { operand: inner, .. }, ..
            }) => self.is_fixed(*inner),
            _ => false,
        }
    }

    /// Whether the operand is a variable that each assignment in the loop moves by a constant, or a copy of one.
    fn is_counter(&self, operand: Operand) -> bool {
        let Operand::Register(register) = operand else { return false };
        let Some(assigned) = self.computed.get(&register) else { return false };
        let is_step = |kind: &&InstructionKind| self.is_step(kind, register);
        if assigned.iter().all(is_step) {
            return true;
        }
        match self.definition(operand) {
            Some(InstructionKind::Assign {
                value: Rvalue::Use(inner) | Rvalue::Cast { operand: inner, .. }, ..
            }) => self.is_counter(*inner),
            // `++i < n` and `i + 1 < n`.
            Some(InstructionKind::Assign {
                value: Rvalue::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right, .. },
                ..
            }) => matches!(right, Operand::Int { .. }) && *left != operand && self.is_counter(*left),
            _ => false,
        }
    }

    /// `register = register + constant`, at once or by way of a temporary.
    fn is_step(&self, kind: &InstructionKind, register: RegisterId) -> bool {
        let InstructionKind::Assign { value, .. } = *kind else { return false };
        let own = Operand::Register(register);
        let moves = |number: Operand| matches!(number, Operand::Int { value: 1.., .. });
        match value {
            Rvalue::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right, .. } => {
                left == own && moves(right) || right == own && moves(left)
            }
            Rvalue::Binary { op: BinaryOp::UDiv | BinaryOp::SDiv, left, right, .. } => {
                left == own && matches!(right, Operand::Int { value: 2.., .. })
            }
            Rvalue::Binary { op: BinaryOp::LShr, left, right, .. } => left == own && moves(right),
            Rvalue::PointerAdd { pointer, offset } => pointer == own && moves(offset),
            Rvalue::Use(inner) => {
                inner != own && self.definition(inner).is_some_and(|kind| self.is_step(kind, register))
            }
            _ => false,
        }
    }
}
