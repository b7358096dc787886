//! Verification intrinsics, assertions, the end of the process, output and the environment.

use program::{BinaryOp, InstructionKind, LibraryFunction, Operand, Property, Rvalue, TerminatorKind, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Form, Lowered, Value};
use crate::ast::{ExprId, ExprKind, StringUnits};
use crate::ctype::{QualType, TypeTable};

/// What a shell shows for a process that SIGABRT ended.
const ABORT_STATUS: u64 = 134;

impl Lowerer<'_, '_> {
    pub fn verifier_nondet(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.evaluate_arguments(site)?;
        Ok(self.input(site.result, site.span))
    }

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

    /// The text of a string literal.
    fn literal_text(&self, mut expr: ExprId) -> Option<String> {
        while let ExprKind::Cast { operand, .. } = self.ast[expr].kind {
            expr = operand;
        }
        match &self.ast[expr].kind {
            ExprKind::String(literal) => match &literal.units {
                StringUnits::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
                StringUnits::Wide(_) => None,
            },
            _ => None,
        }
    }

    /// A model in the prelude has come to its limits.
    pub fn unsupported_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let what = site.arguments.first().and_then(|&argument| self.literal_text(argument));
        Ok(self.unsupported(what.unwrap_or_default(), site.result, site.span))
    }

    pub fn abort_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.end_abnormally(site)
    }

    pub fn exit_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let status = self.argument_as(site, 0, TypeTable::INT)?;
        if site.name == "exit" && self.link.uses_atexit {
            self.f.builder.pin(status);
            self.call_prelude("__gordian_run_atexit", Vec::new(), site);
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

    // -----------------------------------------------------------------------------------------------------------------
    // Output

    fn library(&mut self, function: LibraryFunction, arguments: Vec<Operand>, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.f.builder.temporary(Type::Int(32));
        self.emit(InstructionKind::Library { target: Some(target), function, arguments }, site.span);
        let value = Value::scalar(Operand::Register(target), TypeTable::INT);
        self.convert(value, site.result, site.span)
    }

    /// `format` is the index of the format argument.
    pub fn printf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = self.pointer_argument(site, format)?;
        let arguments = self.variadic_from(site, format + 1)?;
        self.library(LibraryFunction::Printf, vec![text, arguments], site)
    }

    pub fn vprintf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = self.pointer_argument(site, format)?;
        let arguments = self.va_list_argument(site, format + 1)?;
        self.library(LibraryFunction::Printf, vec![text, arguments], site)
    }

    /// A buffer that is not limited has this many bytes: more than any text.
    const UNLIMITED: Operand = Operand::Int { bits: 64, value: u32::MAX as u64 };

    pub fn sprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let buffer = self.pointer_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        let arguments = self.variadic_from(site, 2)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, Self::UNLIMITED, text, arguments], site)
    }

    pub fn vsprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let buffer = self.pointer_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        let arguments = self.va_list_argument(site, 2)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, Self::UNLIMITED, text, arguments], site)
    }

    pub fn snprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let (buffer, size, text) = self.limited_buffer(site)?;
        let arguments = self.variadic_from(site, 3)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, size, text, arguments], site)
    }

    pub fn vsnprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let (buffer, size, text) = self.limited_buffer(site)?;
        let arguments = self.va_list_argument(site, 3)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, size, text, arguments], site)
    }

    /// The buffer, its size as 64 bits, and the format.
    fn limited_buffer(&mut self, site: &CallSite<'_>) -> Lowered<(Operand, Operand, Operand)> {
        let buffer = self.pointer_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        let size = Value::scalar(size, self.link.types.size_type());
        let size = self.convert(size, TypeTable::UNSIGNED_LONG_LONG, site.span)?;
        let text = self.pointer_argument(site, 2)?;
        Ok((buffer, size.operand, text))
    }

    /// What goes to the standard output is printed; other streams are not observed.
    pub fn fprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.printf(site, 1);
        }
        self.unobserved_output(site)
    }

    pub fn vfprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.vprintf(site, 1);
        }
        self.unobserved_output(site)
    }

    /// Evaluates the arguments; how much was written is up to the environment.
    fn unobserved_output(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.evaluate_arguments(site)?;
        Ok(self.constant_result(site, 0))
    }

    fn is_standard_output(&self, site: &CallSite<'_>, index: usize) -> bool {
        let Some(&argument) = site.arguments.get(index) else { return false };
        match self.ast[argument].kind {
            ExprKind::Name(name) => self.name(name) == "stdout",
            ExprKind::Integer(constant) => constant.value == 1,
            _ => false,
        }
    }

    pub fn puts(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let text = self.pointer_argument(site, 0)?;
        self.library(LibraryFunction::Puts, vec![text], site)
    }

    pub fn putchar(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.library(LibraryFunction::Putchar, vec![character], site)
    }

    pub fn fputs(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if !self.is_standard_output(site, 1) {
            return self.unobserved_output(site);
        }
        let text = self.argument(site, 0)?;
        let format = self.bytes_place(b"%s\0".to_vec(), site.span);
        let format = self.address_of(format, site.span)?;
        let arguments = self.variadic_object(&[text], site.span)?;
        self.library(LibraryFunction::Printf, vec![format.operand, arguments], site)
    }

    pub fn fputc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 1) { self.putchar(site) } else { self.unobserved_output(site) }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Input

    /// `scanf` and relatives, `format` being the index of the format: any number of the objects get any value each.
    /// What a string is read into depends on its text, which is not modelled.
    pub fn scanf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = site.arguments.get(format).and_then(|&argument| self.literal_text(argument));
        if text.is_none_or(|text| text.contains("%s") || text.contains("%[") || text.contains('*')) {
            self.evaluate_arguments(site)?;
            return Ok(self.unsupported(format!("`{}` with this format", site.name), site.result, site.span));
        }
        for index in 0..=format {
            self.argument(site, index)?;
        }
        let mut places = Vec::new();
        for index in format + 1..site.arguments.len() {
            let pointer = self.argument(site, index)?;
            let place = self.dereference(pointer, site.span)?;
            places.push(self.fixed(place, site.span));
        }
        let count = self.scanned_count(places.len() as u64, site);
        for (index, place) in places.into_iter().enumerate() {
            let less = Rvalue::Binary {
                op: BinaryOp::Slt,
                ty: Type::Int(32),
                left: Operand::int(32, index as u64),
                right: count,
                signed: false,
            };
            let stored = self.compute(less, Type::BOOL, site.span);
            let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
            self.f.builder.branch(stored, inside, join, site.span);
            self.f.builder.switch_to(inside);
            self.store_inputs(place, site)?;
            self.f.builder.goto(join, site.span);
            self.f.builder.switch_to(join);
        }
        Ok(Value::scalar(count, TypeTable::INT))
    }

    /// A result from -1 (end of file) to the number of objects.
    fn scanned_count(&mut self, most: u64, site: &CallSite<'_>) -> Operand {
        let ty = Type::Int(32);
        let count = self.input(TypeTable::INT, site.span).operand;
        self.f.builder.pin(count);
        let (one, limit) = (Operand::int(32, 1), Operand::int(32, most + 1));
        let above = Rvalue::Binary { op: BinaryOp::Add, ty, left: count, right: one, signed: false };
        let above = self.compute(above, ty, site.span);
        let in_range = Rvalue::Binary { op: BinaryOp::Ule, ty, left: above, right: limit, signed: false };
        let condition = self.compute(in_range, Type::BOOL, site.span);
        self.emit(InstructionKind::Assume { condition }, site.span);
        count
    }

    // -----------------------------------------------------------------------------------------------------------------
    // The environment

    /// `time(p)`: any value, also stored where the argument points to.
    pub fn time_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let pointer = match site.arguments.first() {
            Some(_) => Some(self.pointer_argument(site, 0)?),
            None => None,
        };
        let now = self.input(site.result, site.span);
        if let Some(pointer) = pointer
            && now.form == Form::Scalar
            && pointer != Operand::Null
        {
            self.f.builder.pin(now.operand);
            self.if_not_null(pointer, site.span, |lowerer| {
                let ty = lowerer.register_type(now.ty);
                let order = program::MemoryOrder::NonAtomic;
                let store = InstructionKind::Store { address: pointer, value: now.operand, ty, order };
                lowerer.emit(store, site.span);
                Ok(())
            })?;
        }
        Ok(now)
    }

    /// `getenv`: null, or a string of unknown contents.
    pub fn getenv(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.evaluate_arguments(site)?;
        self.link.assume("strings from the environment have at most 7 characters".to_owned());
        let function = self.link.prelude_function("__gordian_environment_string");
        self.needs_prelude(function);
        let target = self.f.builder.temporary(Type::Pointer);
        let callee = program::Callee::Direct(function);
        let call = InstructionKind::Call { target: Some(target), callee, arguments: Vec::new() };
        self.emit(call, site.span);
        let string = Value::scalar(Operand::Register(target), TypeTable::VOID_POINTER);
        self.convert(string, site.result, site.span)
    }

    pub fn errno_location(&mut self, _site: &CallSite<'_>) -> Lowered<Value> {
        let global = self.link.errno();
        let ty = self.link.types.pointer_to(QualType::plain(TypeTable::INT));
        Ok(Value::scalar(Operand::Global { global, offset: 0 }, ty))
    }

    /// `gettimeofday` and relatives: the structure gets any contents.
    pub fn fill_time(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        for index in 0..site.arguments.len() {
            let value = self.argument(site, index)?;
            let Some(target) = self.link.types.pointee(value.ty) else { continue };
            if value.operand == Operand::Null || self.link.types.size_of(target.ty).is_none() {
                continue;
            }
            let place = self.dereference(value, site.span)?;
            let place = self.fixed(place, site.span);
            self.if_not_null(value.operand, site.span, |lowerer| lowerer.store_inputs(place, site))?;
        }
        Ok(self.constant_result(site, 0))
    }

    fn store_inputs(&mut self, place: super::value::Place, site: &CallSite<'_>) -> Lowered<()> {
        if self.link.types.is_scalar(place.ty.ty) {
            let value = self.input(place.ty.ty, site.span);
            return self.store(place, value, site.span);
        }
        let Some(record) = self.link.types.record(place.ty.ty) else { return Ok(()) };
        let members = self.link.types.records[record].layout.as_ref().map_or(Vec::new(), |l| l.members.clone());
        for member in members.iter().filter(|member| !member.name.is_empty()) {
            let member = self.member_of(place, &member.name, site.span)?;
            self.store_inputs(member, site)?;
        }
        Ok(())
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
