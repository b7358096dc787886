//! Time, files and the rest of the environment: inputs. Before they take one, models ask what it is; only a native run
//! answers (`prelude/input.c`).

use program::{BinaryOp, InstructionKind, Operand, Rvalue, Type};

use library::Range;

use super::Lowerer;
use super::call::CallSite;
use super::value::{Form, Lowered, Value};
use crate::ast::ExprId;
use crate::ctype::TypeTable;

/// Seconds until the last year that is an `int`.
const LAST_YEAR: i64 = 67_768_036_191_676_799;

/// The number of an error.
const EOVERFLOW: u64 = 75;

/// Questions to `sysconf`, as Linux numbers them.
const SC_CLOCK_TICKS: i64 = 2;
const SC_PAGESIZE: i64 = 30;
const SC_PROCESSORS: i64 = 83;
const SC_PROCESSORS_ONLINE: i64 = 84;

impl Lowerer<'_, '_> {
    /// A result from -1 (end of file) to the number of objects.
    pub fn scanned_count(&mut self, most: u64, site: &CallSite<'_>) -> Operand {
        let range = Range { low: -1, high: most as i64 };
        let count = self.input_between(TypeTable::INT, range, site.span).operand;
        self.f.builder.pin(count)
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
        let seconds = library::range_of_member("tv_sec").unwrap_or(Range { low: 0, high: i64::MAX });
        let now = self.input_between(site.result, seconds, site.span);
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

    /// `getenv`: null, or a string of unknown contents, the same one each time.
    pub fn getenv(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let name = site.arguments.first().and_then(|&argument| self.variable_name(argument));
        let values = self.contract_arguments(site)?;
        if let Some(row) = library::row(site.name) {
            self.contract_reads(site, row, &values)?;
            row.hidden.into_iter().for_each(|hidden| self.touch_hidden(hidden, site.span));
        }
        let longest = if self.link.options.arguments.is_some() { 4095 } else { 7 };
        self.link.bound(format!("strings of at most {longest} characters from the environment"));
        let value = match (name, values.first()) {
            (Some(name), _) => {
                let global = self.link.environment_variable(&name);
                self.load_plain(Operand::Global { global, offset: 0 }, Type::Pointer, site.span)
            }
            (None, Some(name)) if self.link.options.arguments.is_some() => {
                let function = self.link.prelude_function("__gordian_given_environment_string");
                self.needs_prelude(function);
                let target = self.f.builder.temporary(Type::Pointer);
                let (callee, arguments) = (program::Callee::Direct(function), vec![name.operand]);
                self.emit(InstructionKind::Call { target: Some(target), callee, arguments }, site.span);
                Operand::Register(target)
            }
            _ => {
                let what = format!("`{}` of a name that is no literal", site.name);
                return Ok(self.unsupported(what, site.result, site.span));
            }
        };
        self.convert(Value::scalar(value, TypeTable::VOID_POINTER), site.result, site.span)
    }

    /// The name of a variable of the environment, if it is a literal; bytes that are no text are told apart.
    fn variable_name(&self, name: ExprId) -> Option<String> {
        let bytes = self.literal_bytes(name)?;
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.escape_ascii().to_string(),
        })
    }

    /// `setenv` and `unsetenv`: the variable gets a copy of the value, or none.
    pub fn setenv(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let name = site.arguments.first().and_then(|&argument| self.variable_name(argument));
        let values = self.contract_arguments(site)?;
        if let Some(row) = library::row(site.name) {
            self.contract_reads(site, row, &values)?;
            row.hidden.into_iter().for_each(|hidden| self.touch_hidden(hidden, site.span));
        }
        let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('=')) else {
            let what = format!("`{}` of a name that is no literal", site.name);
            return Ok(self.unsupported(what, site.result, site.span));
        };
        let variable = Operand::Global { global: self.link.environment_variable(&name), offset: 0 };
        let result = match values[..] {
            [_, value, overwrite] => {
                let overwrite = self.convert(overwrite, TypeTable::INT, site.span)?.operand;
                self.prelude_value("__gordian_setenv", vec![variable, value.operand, overwrite], site)
            }
            _ => self.prelude_value("__gordian_unsetenv", vec![variable], site),
        };
        self.convert(Value::scalar(result, TypeTable::INT), site.result, site.span)
    }

    /// `localtime_r` and relatives: the structure that the second argument points to gets a date, unless the year of the
    /// time is no `int`.
    pub fn broken_down_time(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.contract_arguments(site)?;
        let &[time, target] = &values[..] else {
            return self.error("arguments", site.span, format!("`{}` needs two arguments", site.name));
        };
        if let Some(hidden) = library::row(site.name).and_then(|row| row.hidden) {
            self.touch_hidden(hidden, site.span);
        }
        let place = self.dereference(time, site.span)?;
        let seconds = self.load(place, site.span)?;
        let seconds = self.convert(seconds, TypeTable::LONG_LONG, site.span)?.operand;
        self.f.builder.pin(seconds);
        self.notify_native(site, &[time.operand, target.operand]);
        let known = self.is_between(seconds, 64, Range { low: -LAST_YEAR, high: LAST_YEAR }, site.span);
        self.f.builder.pin(known);
        let ordinary = self.is_between(seconds, 64, Range { low: 0, high: 0xffff_ffff }, site.span);
        let [inside, join, strange, failed] = std::array::from_fn(|_| self.f.builder.new_block());
        self.f.builder.branch(known, inside, failed, site.span);
        self.f.builder.switch_to(failed);
        let errno = Operand::Global { global: self.link.errno(), offset: 0 };
        self.store_attribute(errno, Operand::int(32, EOVERFLOW), site.span);
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(inside);
        self.fill_object(target, site)?;
        self.f.builder.branch(ordinary, join, strange, site.span);
        self.f.builder.switch_to(strange);
        let date = self.dereference(target, site.span)?;
        if self.find_member(date.ty.ty, "tm_year").is_some() {
            let year = self.member_of(date, "tm_year", site.span)?;
            self.store_inputs(year, None, site)?;
        }
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        let result = self.choose(known, Type::Pointer, target.operand, Operand::Null, site.span);
        self.convert(Value::scalar(result, TypeTable::VOID_POINTER), site.result, site.span)
    }

    /// `stat` and relatives: -1, or any contents for the structure that the second argument points to.
    pub fn file_status(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.contract_arguments(site)?;
        let (&[file, target], Some(row)) = (&values[..], library::row(site.name)) else {
            return self.error("arguments", site.span, format!("`{}` needs two arguments", site.name));
        };
        let operands = self.contract_reads(site, row, &values)?;
        self.notify_native(site, &operands);
        let chosen = self.scanned_count(0, site);
        let result = match site.name {
            "fstat" | "fstat64" => self.prelude_value("__gordian_status_of_file", vec![file.operand, chosen], site),
            _ => self.prelude_value("__gordian_status_of_path", vec![file.operand, chosen], site),
        };
        self.f.builder.pin(result);
        let failed = self.truth(Value::scalar(result, TypeTable::INT), site.span)?;
        self.unless(failed, site.span, |lowerer| lowerer.fill_object(target, site))?;
        Ok(Value::scalar(result, TypeTable::INT))
    }

    /// `sysconf`: the same value for the same question whenever it is asked. A question that is not constant is compared with
    /// those that are known.
    pub fn sysconf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let question = self.argument_as(site, 0, TypeTable::INT)?;
        self.f.builder.pin(question);
        let answer = match question {
            Operand::Int { value, .. } => self.system_value(value as u32 as i32 as i64, site),
            _ => {
                let ty = Type::Int(64);
                let known = [SC_CLOCK_TICKS, SC_PAGESIZE, SC_PROCESSORS, SC_PROCESSORS_ONLINE];
                let (mut answer, mut is_known) = (Operand::int(64, 0), Operand::FALSE);
                for number in known {
                    let value = self.system_value(number, site);
                    let right = Operand::int(32, number as u64);
                    let test =
                        Rvalue::Binary { op: BinaryOp::Eq, ty: Type::Int(32), left: question, right, signed: false };
                    let this = self.compute(test, Type::BOOL, site.span);
                    self.f.builder.pin(this);
                    answer = self.choose(this, ty, value, answer, site.span);
                    is_known = self.either(this, is_known, site.span);
                }
                self.f.builder.pin(answer);
                self.unless(is_known, site.span, |lowerer| {
                    let what = "`sysconf` of a name that is not constant".to_owned();
                    lowerer.emit(InstructionKind::Unsupported { what }, site.span);
                    Ok(())
                })?;
                answer
            }
        };
        self.convert(Value::scalar(answer, TypeTable::LONG_LONG), site.result, site.span)
    }

    /// The answer to a question; -1 is a failure, or says that there is no limit.
    fn system_value(&mut self, question: i64, site: &CallSite<'_>) -> Operand {
        let range = match question {
            SC_PAGESIZE => Range { low: 4096, high: 65536 },
            SC_CLOCK_TICKS => Range { low: 1, high: 1_000_000 },
            SC_PROCESSORS | SC_PROCESSORS_ONLINE => Range { low: 1, high: 8192 },
            _ => Range { low: -1, high: 1 << 40 },
        };
        let global = self.link.stable_value("sysconf", Some(question), range);
        let answer = self.load_plain(Operand::Global { global, offset: 0 }, Type::Int(64), site.span);
        self.f.builder.pin(answer);
        if question == SC_PAGESIZE {
            return self.page_size(answer, site);
        }
        if range.low < 0 && self.link.uses_errno {
            self.call_prelude("__gordian_no_system_value", vec![answer], site);
        }
        answer
    }

    /// One of the sizes that pages have.
    fn page_size(&mut self, chosen: Operand, site: &CallSite<'_>) -> Operand {
        self.f.builder.pin(chosen);
        let mut size = Operand::int(64, 4096);
        for other in [8192, 16384, 65536] {
            let (ty, left) = (Type::Int(64), Operand::int(64, other));
            let test = Rvalue::Binary { op: BinaryOp::Ule, ty, left, right: chosen, signed: false };
            let this = self.compute(test, Type::BOOL, site.span);
            size = self.choose(this, ty, left, size, site.span);
        }
        size
    }

    /// Of the things that `prctl` can do, only the name of a thread (`PR_SET_NAME`) does not matter.
    pub fn prctl(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        const SET_NAME: u64 = 15;
        let what = self.argument(site, 0)?;
        let values = self.contract_arguments_from(site, 1)?;
        match (what.operand, values.first()) {
            (Operand::Int { value: SET_NAME, .. }, Some(name)) => {
                let name = self.convert(*name, TypeTable::VOID_POINTER, site.span)?.operand;
                self.call_prelude("__gordian_read_string", vec![name, self.size_operand(16)], site);
                Ok(self.constant_result(site, 0))
            }
            _ => Ok(self.unsupported("`prctl` other than for the name of a thread", site.result, site.span)),
        }
    }

    /// Where a handler is set up, executions in which it is called are not supported. The former one is not known.
    pub fn signal_call(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.argument(site, 0)?;
        let handler = self.pointer_argument(site, 1)?;
        self.call_prelude("__gordian_set_handler", vec![handler], site);
        if site.used {
            return Ok(self.unsupported("the result of `signal`", site.result, site.span));
        }
        Ok(self.constant_result(site, 0))
    }

    pub fn sigaction(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let values = self.contract_arguments(site)?;
        let Some(row) = library::row(site.name) else { return Ok(self.constant_result(site, 0)) };
        if let Some(action) = values.get(1) {
            self.call_prelude("__gordian_set_action", vec![action.operand], site);
        }
        if values.get(2).is_some_and(|former| former.operand != Operand::Null) {
            let what = format!("`{}` that returns the former setting", site.name);
            return Ok(self.unsupported(what, site.result, site.span));
        }
        self.contract_body(site, row, &values)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Questions

    /// Lets a native run find out what the inputs that follow are; to everybody else it is an empty function.
    pub fn ask(&mut self, question: &str, arguments: Vec<Operand>, site: &CallSite<'_>) {
        self.call_prelude(&format!("__gordian_ask_{question}"), arguments, site);
    }

    /// The arguments, to be used more than once; integers as `long`.
    pub fn question_arguments(&mut self, site: &CallSite<'_>) -> Lowered<Vec<Value>> {
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
}
