//! Calls that succeed unless the user wants to see them fail: allocation (`--malloc-may-fail`) and the creation of threads
//! (`--create-may-fail`). Whether one fails is an input.

use base::Span;
use program::{Operand, Type};

use super::Lowerer;
use super::value::Lowered;
use crate::ctype::TypeTable;

/// What is left of a call that fails.
pub struct Failing {
    /// Whether it may fail at all.
    pub enabled: bool,
    pub ty: Type,
    /// The result.
    pub result: Operand,
    /// The error number that it leaves behind.
    pub errno: Option<u32>,
}

impl Lowerer<'_, '_> {
    /// The result of `work`, or that of a failure, where `work` is not done.
    pub fn or_fails(
        &mut self,
        failing: &Failing,
        span: Span,
        work: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        if !failing.enabled {
            return work(self);
        }
        let result = self.f.builder.pinned(failing.ty);
        let choice = self.input(TypeTable::INT, span);
        let fails = self.truth(choice, span)?;
        let [failed, done, join] = std::array::from_fn(|_| self.f.builder.new_block());
        self.f.builder.branch(fails, failed, done, span);
        self.f.builder.switch_to(failed);
        if let Some(number) = failing.errno {
            let address = Operand::Global { global: self.link.errno(), offset: 0 };
            self.store_attribute(address, Operand::int(32, u64::from(number)), span);
        }
        self.f.builder.assign(result, failing.result, span);
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(done);
        let succeeded = work(self)?;
        self.f.builder.assign(result, succeeded, span);
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(join);
        Ok(Operand::Register(result))
    }
}
