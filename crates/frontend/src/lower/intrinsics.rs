//! Verification intrinsics, assertions and the end of the process.

use program::{BinaryOp, InstructionKind, Operand, Property, Rvalue, TerminatorKind, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Lowered, Value};
use crate::ast::ExprId;
use crate::ctype::TypeTable;
use crate::process_end::END_PROCESS;

/// What a shell shows for a process that SIGABRT ended.
const ABORT_STATUS: u64 = 134;

impl Lowerer<'_, '_> {
    pub fn verifier_assume(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let condition = self.condition_argument(site)?;
        self.emit(InstructionKind::Assume { condition }, site.span);
        Ok(self.constant_result(site, 0))
    }

    fn condition_argument(&mut self, site: &CallSite<'_>) -> Lowered<Operand> {
        match site.arguments.first() {
            Some(&argument) => self.condition(argument),
            None => self.error("arguments", site.span, format!("`{}` needs an argument", site.name)),
        }
    }

    pub fn atomic_begin(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.emit(InstructionKind::AtomicBegin, site.span);
        Ok(self.constant_result(site, 0))
    }

    pub fn atomic_end(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.emit(InstructionKind::AtomicEnd, site.span);
        Ok(self.constant_result(site, 0))
    }

    pub fn reach_error(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.fail(Property::UnreachCall, "reach_error() is called".to_owned(), site);
        Ok(self.constant_result(site, 0))
    }

    pub fn verifier_error(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.evaluate_arguments(site)?;
        self.fail(Property::Assert, format!("{}() is called", site.name), site);
        self.end_abnormally(site)
    }

    fn fail(&mut self, property: Property, message: String, site: &CallSite<'_>) {
        self.program_assertion(Operand::FALSE, property, message, site.span);
    }

    fn end_abnormally(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let status = Operand::int(32, ABORT_STATUS);
        self.f.builder.terminate(TerminatorKind::ProcessExit { status, abnormal: true }, site.span);
        Ok(self.placeholder(site.result))
    }

    /// `assert(x)` as a function call, where no header made it a macro.
    pub fn assert_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let condition = self.condition_argument(site)?;
        let message = "assertion fails".to_owned();
        self.program_assertion(condition, Property::Assert, message, site.span);
        let (go_on, end) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(condition, go_on, end, site.span);
        self.f.builder.switch_to(end);
        self.end_abnormally(site)?;
        self.f.builder.switch_to(go_on);
        Ok(self.constant_result(site, 0))
    }

    /// `__CPROVER_assert(x, "what")`: the program goes on after it.
    pub fn told_assertion(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let condition = self.condition_argument(site)?;
        let told = site.arguments.get(1).and_then(|&argument| self.literal_text(argument));
        let message = match told.filter(|text| !text.is_empty()) {
            Some(text) => format!("assertion `{text}` fails"),
            None => "assertion fails".to_owned(),
        };
        self.program_assertion(condition, Property::Assert, message, site.span);
        Ok(self.constant_result(site, 0))
    }

    pub fn assert_fail(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let text = site.arguments.iter().find_map(|&argument| self.literal_text(argument));
        let message = match text {
            Some(text) => format!("assertion `{text}` fails"),
            None => "assertion fails".to_owned(),
        };
        self.fail(Property::Assert, message, site);
        self.end_abnormally(site)
    }

    /// The text of a string literal, for people to read.
    pub fn literal_text(&self, expr: ExprId) -> Option<String> {
        self.literal_bytes(expr).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// A model in the prelude has come to its limits.
    pub fn unsupported_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let what = site.arguments.first().and_then(|&argument| self.literal_text(argument));
        Ok(self.unsupported(what.unwrap_or_default(), site.result, site.span))
    }

    /// `setjmp`: the return that is not from a `longjmp`, which is unsupported where it is reached. Where there is one, the
    /// zero is no constant, so that the code for the second return stays in the program.
    pub fn first_return(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        match library::row(site.name) {
            Some(row) => drop(self.contract_call(site, row)?),
            None => self.evaluate_arguments(site)?,
        }
        if !self.link.uses_longjmp {
            return Ok(self.constant_result(site, 0));
        }
        let value = self.input(TypeTable::INT, site.span);
        self.f.builder.pin(value.operand);
        let ty = Type::Int(32);
        let is_zero =
            Rvalue::Binary { op: BinaryOp::Eq, ty, left: value.operand, right: Operand::int(32, 0), signed: false };
        let condition = self.compute(is_zero, Type::BOOL, site.span);
        self.emit(InstructionKind::Assume { condition }, site.span);
        Ok(value)
    }

    pub fn abort_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.end_abnormally(site)
    }

    pub fn exit_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let status = self.argument_as(site, 0, TypeTable::INT)?;
        if site.name == "exit" && self.link.ends.has_handlers() {
            self.f.builder.pin(status);
            self.call_prelude(END_PROCESS, Vec::new(), site);
        }
        self.f.builder.terminate(TerminatorKind::ProcessExit { status, abnormal: false }, site.span);
        Ok(self.placeholder(site.result))
    }

    /// Calls a function of the prelude that returns nothing.
    pub fn call_prelude(&mut self, name: &str, arguments: Vec<Operand>, site: &CallSite<'_>) {
        let function = self.link.prelude_function(name);
        self.needs_prelude(function);
        let callee = program::Callee::Direct(function);
        self.emit(InstructionKind::Call { target: None, callee, arguments }, site.span);
    }

    /// Runs `work` only where the pointer is not null; constants need no test.
    pub fn if_not_null(
        &mut self,
        pointer: Operand,
        span: base::Span,
        work: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        if pointer == Operand::Null {
            return Ok(());
        }
        if !matches!(pointer, Operand::Register(_)) {
            return work(self);
        }
        self.f.builder.pin(pointer);
        let test = self.truth(Value::scalar(pointer, TypeTable::VOID_POINTER), span)?;
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(test, inside, join, span);
        self.f.builder.switch_to(inside);
        work(self)?;
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(join);
        Ok(())
    }
}
