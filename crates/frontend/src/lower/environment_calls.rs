//! Input, time and the rest of the environment: inputs. Before they take one, models ask what it is; only a native run
//! answers (`prelude/input.c`).

use program::{BinaryOp, InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use super::call::CallSite;
use super::scan_format::{Conversion, conversions};
use super::value::{Form, Lowered, Value};
use crate::ctype::{QualType, TypeTable};
use crate::prelude;

impl Lowerer<'_, '_> {
    /// `scanf` and relatives, `format` being the index of the format: any number of the objects get any value each.
    pub fn scanf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = site.arguments.get(format).and_then(|&argument| self.literal_text(argument));
        let conversions = text.and_then(|text| conversions(&text));
        let given = site.arguments.len().saturating_sub(format + 1);
        let Some(conversions) = conversions.filter(|conversions| conversions.len() == given) else {
            self.evaluate_arguments(site)?;
            return Ok(self.unsupported(format!("`{}` with this format", site.name), site.result, site.span));
        };
        let values = self.question_arguments(site)?;
        let question = site.name.rsplit('_').next().unwrap_or(site.name);
        self.ask(question, values[..=format].iter().map(|value| value.operand).collect(), site);
        let stored = conversions.iter().filter(|&&conversion| conversion != Conversion::Position).count();
        let count = self.scanned_count(stored as u64, site);
        let mut before = 0;
        for (&conversion, &pointer) in conversions.iter().zip(&values[format + 1..]) {
            // A position is stored as soon as everything before it is.
            let position = conversion == Conversion::Position;
            let index = if position { before - 1 } else { before };
            before += i64::from(!position);
            self.store_scanned(conversion, pointer, index, count, site)?;
        }
        Ok(Value::scalar(count, TypeTable::INT))
    }

    /// Stores what a conversion gave, if more than `index` were successful.
    fn store_scanned(
        &mut self,
        conversion: Conversion,
        pointer: Value,
        index: i64,
        count: Operand,
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        let place = self.dereference(pointer, site.span)?;
        let place = self.fixed(place, site.span);
        let left = Operand::int(32, u64::from(index as u32));
        let less = Rvalue::Binary { op: BinaryOp::Slt, ty: Type::Int(32), left, right: count, signed: false };
        let stored = self.compute(less, Type::BOOL, site.span);
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(stored, inside, join, site.span);
        self.f.builder.switch_to(inside);
        match conversion {
            Conversion::Number | Conversion::Position => self.store_inputs(place, site)?,
            Conversion::Text { longest } => {
                let longest = Operand::int(64, longest);
                self.call_prelude("__gordian_scan_text", vec![pointer.operand, longest], site);
            }
            Conversion::Characters { count } => {
                let count = Operand::int(64, count);
                self.call_prelude("__gordian_scan_characters", vec![pointer.operand, count], site);
            }
        }
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        Ok(())
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

    /// `time(p)`: any value, also stored where the argument points to.
    pub fn time_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let pointer = match site.arguments.first() {
            Some(_) => Some(self.pointer_argument(site, 0)?),
            None => None,
        };
        if let Some(pointer) = pointer {
            self.f.builder.pin(pointer);
        }
        self.ask("time", Vec::new(), site);
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
        let name = self.pointer_argument(site, 0)?;
        let (model, longest) = match self.link.options.arguments {
            // A program that is run with certain arguments has a real environment.
            Some(_) => ("__gordian_given_environment_string", 4095),
            None => ("__gordian_environment_string", 7),
        };
        self.link.bound(format!("strings of at most {longest} characters from the environment"));
        let function = self.link.prelude_function(model);
        self.needs_prelude(function);
        let target = self.f.builder.temporary(Type::Pointer);
        let callee = program::Callee::Direct(function);
        self.emit(InstructionKind::Call { target: Some(target), callee, arguments: vec![name] }, site.span);
        let string = Value::scalar(Operand::Register(target), TypeTable::VOID_POINTER);
        self.convert(string, site.result, site.span)
    }

    pub fn errno_location(&mut self, _site: &CallSite<'_>) -> Lowered<Value> {
        let global = self.link.errno();
        let ty = self.link.types.pointer_to(QualType::plain(TypeTable::INT));
        Ok(Value::scalar(Operand::Global { global, offset: 0 }, ty))
    }

    /// `gettimeofday` and relatives: the structures get any contents.
    pub fn fill_time(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.question_arguments(site)?;
        self.ask_by_name(&values, site);
        for value in values {
            self.fill_pointee(value, site)?;
        }
        Ok(self.constant_result(site, 0))
    }

    /// `localtime_r` and relatives: the structure that the second argument points to gets any contents.
    pub fn broken_down_time(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.question_arguments(site)?;
        self.ask_by_name(&values, site);
        match values.get(1) {
            Some(&value) => {
                self.fill_pointee(value, site)?;
                self.convert(value, site.result, site.span)
            }
            None => self.error("arguments", site.span, format!("`{}` needs two arguments", site.name)),
        }
    }

    /// `stat` and relatives: -1, or any contents for the structure that the second argument points to.
    pub fn file_status(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.question_arguments(site)?;
        let &[_, target] = &values[..] else {
            return self.error("arguments", site.span, format!("`{}` needs two arguments", site.name));
        };
        self.ask_by_name(&values, site);
        let result = self.scanned_count(0, site);
        let failed = Rvalue::Binary {
            op: BinaryOp::Ne,
            ty: Type::Int(32),
            left: result,
            right: Operand::int(32, 0),
            signed: false,
        };
        let failed = self.compute(failed, Type::BOOL, site.span);
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(failed, join, inside, site.span);
        self.f.builder.switch_to(inside);
        self.fill_pointee(target, site)?;
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        Ok(Value::scalar(result, TypeTable::INT))
    }

    /// What the pointer points to gets any contents, unless it is null.
    fn fill_pointee(&mut self, pointer: Value, site: &CallSite<'_>) -> Lowered<()> {
        let Some(target) = self.link.types.pointee(pointer.ty) else { return Ok(()) };
        if pointer.operand == Operand::Null || self.link.types.size_of(target.ty).is_none() {
            return Ok(());
        }
        let place = self.dereference(pointer, site.span)?;
        let place = self.fixed(place, site.span);
        self.if_not_null(pointer.operand, site.span, |lowerer| lowerer.store_inputs(place, site))
    }

    /// A number that the environment decides, by the arguments perhaps.
    pub fn environment_number(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.question_arguments(site)?;
        self.ask_by_name(&values, site);
        Ok(self.input(site.result, site.span))
    }

    /// Of the things that `prctl` can do, only the name of a thread (`PR_SET_NAME`) does not matter.
    pub fn prctl(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        const SET_NAME: u64 = 15;
        let what = self.argument(site, 0)?;
        self.evaluate_from(site, 1)?;
        match what.operand {
            Operand::Int { value: SET_NAME, .. } => Ok(self.constant_result(site, 0)),
            _ => Ok(self.unsupported("`prctl` other than for the name of a thread", site.result, site.span)),
        }
    }

    /// Handlers of signals may be set up; nobody calls them.
    pub fn signal_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        for index in 0..site.arguments.len() {
            let value = self.pointer_argument(site, index)?;
            if index == 2 && value != Operand::Null {
                let what = format!("`{}` that returns the former setting", site.name);
                return Ok(self.unsupported(what, site.result, site.span));
            }
        }
        self.link.assume("no signal arrives".to_owned());
        Ok(self.constant_result(site, 0))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Questions

    /// Lets a native run find out what the inputs that follow are; to everybody else it is an empty function.
    fn ask(&mut self, question: &str, arguments: Vec<Operand>, site: &CallSite<'_>) {
        self.call_prelude(&format!("__gordian_ask_{question}"), arguments, site);
    }

    /// Asks the question with the name of the called function, if there is one.
    fn ask_by_name(&mut self, values: &[Value], site: &CallSite<'_>) {
        if prelude::defines(&format!("__gordian_ask_{}", site.name)) {
            self.ask(site.name, values.iter().map(|value| value.operand).collect(), site);
        }
    }

    /// The arguments, to be used more than once; integers as `long`.
    fn question_arguments(&mut self, site: &CallSite<'_>) -> Lowered<Vec<Value>> {
        let mut values = Vec::new();
        for index in 0..site.arguments.len() {
            let mut value = self.argument(site, index)?;
            if let Some(Type::Int(_)) = self.link.types.register_type(value.ty) {
                value = self.convert(value, TypeTable::LONG, site.span)?;
            }
            self.f.builder.pin(value.operand);
            values.push(value);
        }
        Ok(values)
    }

    /// Every scalar in the place gets any value.
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
}
