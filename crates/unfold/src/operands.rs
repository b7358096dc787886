//! The values of operands in a state.

use program::{DataModel, Operand, RegisterId};
use symbolic::{Evaluator, NotSupported, ObjectId, ObjectKey, SymValue, evaluate};
use terms::{TermId, Terms};

use crate::cells::Cells;
use crate::state::SymState;
use crate::unfolder::{Activation, UnfoldFailure};

impl<'a> Cells<'a> {
    pub fn operand(
        &mut self,
        state: &SymState,
        activation: &Activation,
        operand: Operand,
    ) -> Result<SymValue, UnfoldFailure> {
        Ok(evaluate::operand(&mut self.evaluator(state, activation), operand)?)
    }

    pub fn condition(
        &mut self,
        state: &SymState,
        activation: &Activation,
        operand: Operand,
    ) -> Result<TermId, UnfoldFailure> {
        Ok(evaluate::condition(&mut self.evaluator(state, activation), operand)?)
    }

    pub fn evaluator<'b>(&'b mut self, state: &'b SymState, activation: &'b Activation) -> InActivation<'a, 'b> {
        InActivation { cells: self, state, activation }
    }
}

/// Evaluation of operands in one state.
pub(crate) struct InActivation<'a, 'b> {
    cells: &'b mut Cells<'a>,
    state: &'b SymState,
    activation: &'b Activation,
}

impl Evaluator for InActivation<'_, '_> {
    fn terms(&mut self) -> &mut Terms {
        self.cells.terms()
    }

    fn data_model(&self) -> DataModel {
        self.cells.program.data_model
    }

    fn register(&self, register: RegisterId) -> Option<SymValue> {
        self.state.registers[register.0 as usize].clone()
    }

    fn address(&mut self, operand: Operand) -> Result<SymValue, NotSupported> {
        let start = self.cells.pointer_constant(0);
        let key = match operand {
            Operand::Global { global, .. } if self.cells.program.globals[global].thread_local => {
                ObjectKey::ThreadLocal { global, instance: self.state.instance.0 }
            }
            Operand::Global { global, .. } => ObjectKey::Global(global),
            Operand::Function(function) => ObjectKey::Function(function),
            Operand::Local { local, .. } => {
                let locals = &self.cells.program.functions[self.activation.function].locals;
                debug_assert_eq!(self.state.locals.len(), locals.len(), "a state should belong to its activation");
                let address = self.state.locals[local.0 as usize].clone();
                return Ok(address.unwrap_or_else(|| SymValue::raw(self.cells.terms(), start)));
            }
            _ => return Err(NotSupported("operand is not an address".to_owned())),
        };
        let object = self.cells.object(key);
        Ok(SymValue::address(self.cells.terms(), object, start))
    }

    fn may_be_huge(&self, object: ObjectId) -> bool {
        let size = self.cells.survey.objects.get(object).size;
        self.cells.abstraction().may_be_huge(size)
    }
}
