//! Time, files and the rest of the environment: inputs. Before they take one, models ask what it is; only a native run
//! answers (`prelude/input.c`).

use library::NumberRange;
use program::{BinaryOp, InstructionKind, Operand, Rvalue, Type};

use super::call::CallLowering;
use super::contract::{
    contract_arguments, contract_arguments_from, contract_body, contract_reads, fill_object, notify_native,
    store_inputs, touch_hidden,
};
use crate::ast::ExprId;
use crate::ctype::TypeTable;
use crate::emit::value::{CValue, Form, Lowered};

/// Seconds until the last year that is an `int`.
const LAST_YEAR: i64 = 67_768_036_191_676_799;

/// The number of an error.
const EOVERFLOW: u64 = 75;

/// Questions to `sysconf`, as Linux numbers them.
const SC_CLOCK_TICKS: i64 = 2;
const SC_PAGESIZE: i64 = 30;
const SC_PROCESSORS: i64 = 83;
const SC_PROCESSORS_ONLINE: i64 = 84;

/// A result from -1 (end of file) to the number of objects.
pub fn scanned_count(call: &mut CallLowering, most: u64) -> Operand {
    let range = NumberRange { low: -1, high: most as i64 };
    let count = call.input_between(TypeTable::INT, range).operand;
    call.pin(count)
}

/// `time(p)`: any value, also stored where the argument points to.
pub fn time_call(call: &mut CallLowering) -> Lowered<CValue> {
    let pointer = match call.site.arguments.first() {
        Some(_) => Some(call.pointer_argument(0)?),
        None => None,
    };
    if let Some(pointer) = pointer {
        call.pin(pointer);
    }
    ask(call, "time", Vec::new());
    let seconds = library::range_of_member("tv_sec").unwrap_or(NumberRange { low: 0, high: i64::MAX });
    let now = call.input_between(call.site.result, seconds);
    if let Some(pointer) = pointer
        && now.form == Form::Scalar
        && pointer != Operand::Null
    {
        call.pin(now.operand);
        call.if_not_null(pointer, |call| {
            let ty = call.register_type(now.ty);
            let order = program::MemoryOrder::NonAtomic;
            let store = InstructionKind::Store { address: pointer, value: now.operand, ty, order };
            call.instruction(store);
            Ok(())
        })?;
    }
    Ok(now)
}

/// `getenv`: null, or a string of unknown contents, the same one each time.
pub fn getenv(call: &mut CallLowering) -> Lowered<CValue> {
    let name = call.site.arguments.first().and_then(|&argument| variable_name(call, argument));
    let values = contract_arguments(call)?;
    if let Some(row) = library::row(call.site.name) {
        contract_reads(call, row, &values)?;
        row.hidden.into_iter().for_each(|hidden| touch_hidden(call, hidden));
    }
    let longest = if call.link().options.arguments.is_some() { 4095 } else { 7 };
    call.link_mut().bound(format!("strings of at most {longest} characters from the environment"));
    let value = match (name, values.first()) {
        (Some(name), _) => {
            let global = call.link_mut().environment_variable(&name);
            call.load_plain(Operand::Global { global, offset: 0 }, Type::Pointer)
        }
        (None, Some(name)) if call.link().options.arguments.is_some() => {
            let function = call.link_mut().prelude_function("__gordian_given_environment_string");
            call.link_mut().needs_prelude(function);
            let target = call.temporary(Type::Pointer);
            let (callee, arguments) = (program::Callee::Direct(function), vec![name.operand]);
            call.instruction(InstructionKind::Call { target: Some(target), callee, arguments });
            Operand::Register(target)
        }
        _ => {
            let what = format!("`{}` of a name that is no literal", call.site.name);
            return Ok(call.unsupported(what, call.site.result));
        }
    };
    call.convert(CValue::scalar(value, TypeTable::VOID_POINTER), call.site.result)
}

/// The name of a variable of the environment, if it is a literal; bytes that are no text are told apart.
fn variable_name(call: &CallLowering, name: ExprId) -> Option<String> {
    let bytes = call.literal_bytes(name)?;
    Some(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.escape_ascii().to_string(),
    })
}

/// `setenv` and `unsetenv`: the variable gets a copy of the value, or none.
pub fn setenv(call: &mut CallLowering) -> Lowered<CValue> {
    let name = call.site.arguments.first().and_then(|&argument| variable_name(call, argument));
    let values = contract_arguments(call)?;
    if let Some(row) = library::row(call.site.name) {
        contract_reads(call, row, &values)?;
        row.hidden.into_iter().for_each(|hidden| touch_hidden(call, hidden));
    }
    let Some(name) = name.filter(|name| !name.is_empty() && !name.contains('=')) else {
        let what = format!("`{}` of a name that is no literal", call.site.name);
        return Ok(call.unsupported(what, call.site.result));
    };
    let variable = Operand::Global { global: call.link_mut().environment_variable(&name), offset: 0 };
    let result = match values[..] {
        [_, value, overwrite] => {
            let overwrite = call.convert(overwrite, TypeTable::INT)?.operand;
            call.prelude_value("__gordian_setenv", vec![variable, value.operand, overwrite])
        }
        _ => call.prelude_value("__gordian_unsetenv", vec![variable]),
    };
    call.convert(CValue::scalar(result, TypeTable::INT), call.site.result)
}

/// `localtime_r` and relatives: the structure that the second argument points to gets a date, unless the year of the
/// time is no `int`.
pub fn broken_down_time(call: &mut CallLowering) -> Lowered<CValue> {
    let values = contract_arguments(call)?;
    let &[time, target] = &values[..] else {
        return call.error("arguments", format!("`{}` needs two arguments", call.site.name));
    };
    if let Some(hidden) = library::row(call.site.name).and_then(|row| row.hidden) {
        touch_hidden(call, hidden);
    }
    let place = call.dereference(time)?;
    let seconds = call.load(place)?;
    let seconds = call.convert(seconds, TypeTable::LONG_LONG)?.operand;
    call.pin(seconds);
    notify_native(call, &[time.operand, target.operand]);
    let known = call.is_between(seconds, 64, NumberRange { low: -LAST_YEAR, high: LAST_YEAR });
    call.pin(known);
    let ordinary = call.is_between(seconds, 64, NumberRange { low: 0, high: 0xffff_ffff });
    let [inside, settled, join, strange, failed] = std::array::from_fn(|_| call.new_block());
    call.branch(known, inside, failed);
    call.switch_to(failed);
    let errno = Operand::Global { global: call.link_mut().errno(), offset: 0 };
    call.store_int(errno, Operand::int(32, EOVERFLOW));
    call.goto(join);
    call.switch_to(inside);
    fill_object(call, target)?;
    call.branch(ordinary, settled, strange);
    call.switch_to(strange);
    let date = call.dereference(target)?;
    if call.types().find_member(date.ty.ty, "tm_year").is_some() {
        let year = call.emit_with(|emit, span| emit.member_of(date, "tm_year", span))?;
        store_inputs(call, year, None)?;
    }
    call.goto(settled);
    call.switch_to(settled);
    if has_zone(call, target) {
        call.call_prelude("__gordian_settle_date", vec![target.operand]);
    }
    call.goto(join);
    call.switch_to(join);
    let result = call.choose(known, Type::Pointer, target.operand, Operand::Null);
    call.convert(CValue::scalar(result, TypeTable::VOID_POINTER), call.site.result)
}

/// Whether the structure has all members that the library's has.
fn has_zone(call: &CallLowering, pointer: CValue) -> bool {
    let target = call.types().pointee(pointer.ty);
    let has = |name| target.is_some_and(|target| call.types().find_member(target.ty, name).is_some());
    has("tm_zone") || has("__tm_zone")
}

/// `stat` and relatives: -1, or any contents for the structure that the second argument points to.
pub fn file_status(call: &mut CallLowering) -> Lowered<CValue> {
    let values = contract_arguments(call)?;
    let (&[file, target], Some(row)) = (&values[..], library::row(call.site.name)) else {
        return call.error("arguments", format!("`{}` needs two arguments", call.site.name));
    };
    let operands = contract_reads(call, row, &values)?;
    notify_native(call, &operands);
    let chosen = scanned_count(call, 0);
    let result = match call.site.name {
        "fstat" | "fstat64" => call.prelude_value("__gordian_status_of_file", vec![file.operand, chosen]),
        _ => call.prelude_value("__gordian_status_of_path", vec![file.operand, chosen]),
    };
    call.pin(result);
    let failed = call.truth(CValue::scalar(result, TypeTable::INT))?;
    call.unless(failed, |call| fill_object(call, target))?;
    Ok(CValue::scalar(result, TypeTable::INT))
}

/// `sysconf`: the same value for the same question whenever it is asked. A question that is not constant is compared with
/// those that are known.
pub fn sysconf(call: &mut CallLowering) -> Lowered<CValue> {
    let question = call.argument_as(0, TypeTable::INT)?;
    call.pin(question);
    let answer = match question {
        Operand::Int { value, .. } => system_value(call, value as u32 as i32 as i64),
        _ => {
            let ty = Type::Int(64);
            let known = [SC_CLOCK_TICKS, SC_PAGESIZE, SC_PROCESSORS, SC_PROCESSORS_ONLINE];
            let (mut answer, mut is_known) = (Operand::int(64, 0), Operand::FALSE);
            for number in known {
                let value = system_value(call, number);
                let right = Operand::int(32, number as u64);
                let test = Rvalue::Binary { op: BinaryOp::Eq, ty: Type::Int(32), left: question, right, signed: false };
                let this = call.compute(test, Type::BOOL);
                call.pin(this);
                answer = call.choose(this, ty, value, answer);
                is_known = call.either(this, is_known);
            }
            call.pin(answer);
            call.unless(is_known, |call| {
                let what = "`sysconf` of a name that is not constant".to_owned();
                call.instruction(InstructionKind::Unsupported { what });
                Ok(())
            })?;
            answer
        }
    };
    call.convert(CValue::scalar(answer, TypeTable::LONG_LONG), call.site.result)
}

/// The answer to a question; -1 is a failure, or says that there is no limit.
fn system_value(call: &mut CallLowering, question: i64) -> Operand {
    let range = match question {
        SC_PAGESIZE => NumberRange { low: 4096, high: 65536 },
        SC_CLOCK_TICKS => NumberRange { low: 1, high: 1_000_000 },
        SC_PROCESSORS | SC_PROCESSORS_ONLINE => NumberRange { low: 1, high: 8192 },
        _ => NumberRange { low: -1, high: 1 << 40 },
    };
    let answer = chosen_system_value(call, question, range);
    match question {
        SC_PAGESIZE => return page_size(call, answer),
        SC_PROCESSORS_ONLINE => {
            let all = chosen_system_value(call, SC_PROCESSORS, range);
            let less = Rvalue::Binary { op: BinaryOp::Slt, ty: Type::Int(64), left: all, right: answer, signed: false };
            let less = call.compute(less, Type::BOOL);
            let online = call.choose(less, Type::Int(64), all, answer);
            return call.pin(online);
        }
        _ => {}
    }
    if range.low < 0 && call.link().uses_errno {
        call.call_prelude("__gordian_no_system_value", vec![answer]);
    }
    answer
}

fn chosen_system_value(call: &mut CallLowering, question: i64, range: NumberRange) -> Operand {
    let global = call.link_mut().stable_value("sysconf", Some(question), range);
    let answer = call.load_plain(Operand::Global { global, offset: 0 }, Type::Int(64));
    call.pin(answer)
}

/// One of the sizes that pages have.
fn page_size(call: &mut CallLowering, chosen: Operand) -> Operand {
    call.pin(chosen);
    let mut size = Operand::int(64, 4096);
    for other in [8192, 16384, 65536] {
        let (ty, left) = (Type::Int(64), Operand::int(64, other));
        let test = Rvalue::Binary { op: BinaryOp::Ule, ty, left, right: chosen, signed: false };
        let this = call.compute(test, Type::BOOL);
        size = call.choose(this, ty, left, size);
    }
    size
}

/// Of the things that `prctl` can do, only the name of a thread (`PR_SET_NAME`) does not matter.
pub fn prctl(call: &mut CallLowering) -> Lowered<CValue> {
    const SET_NAME: u64 = 15;
    let what = call.argument(0)?;
    let values = contract_arguments_from(call, 1)?;
    match (what.operand, values.first()) {
        (Operand::Int { value: SET_NAME, .. }, Some(name)) => {
            let name = call.convert(*name, TypeTable::VOID_POINTER)?.operand;
            call.call_prelude("__gordian_read_string", vec![name, call.size_operand(16)]);
            Ok(call.constant_result(0))
        }
        _ => Ok(call.unsupported("`prctl` other than for the name of a thread", call.site.result)),
    }
}

/// Where a handler is set up, executions in which it is called are not supported. The former one is not known.
pub fn signal_call(call: &mut CallLowering) -> Lowered<CValue> {
    call.argument(0)?;
    let handler = call.pointer_argument(1)?;
    call.call_prelude("__gordian_set_handler", vec![handler]);
    if call.site.is_used() {
        return Ok(call.unsupported("the result of `signal`", call.site.result));
    }
    Ok(call.constant_result(0))
}

pub fn sigaction(call: &mut CallLowering) -> Lowered<CValue> {
    let values = contract_arguments(call)?;
    let Some(row) = library::row(call.site.name) else { return Ok(call.constant_result(0)) };
    if let Some(action) = values.get(1) {
        call.call_prelude("__gordian_set_action", vec![action.operand]);
    }
    if values.get(2).is_some_and(|former| former.operand != Operand::Null) {
        let what = format!("`{}` that returns the former setting", call.site.name);
        return Ok(call.unsupported(what, call.site.result));
    }
    contract_body(call, row, &values)
}

// -----------------------------------------------------------------------------------------------------------------
// Questions

/// Lets a native run find out what the inputs that follow are; to everybody else it is an empty function.
pub fn ask(call: &mut CallLowering, question: &str, arguments: Vec<Operand>) {
    call.call_prelude(&format!("__gordian_ask_{question}"), arguments);
}

/// The arguments, to be used more than once; integers as `long`.
pub fn question_arguments(call: &mut CallLowering) -> Lowered<Vec<CValue>> {
    let mut values = Vec::new();
    for index in 0..call.site.arguments.len() {
        let mut value = call.argument(index)?;
        if let Some(Type::Int(_)) = call.types().register_type(value.ty) {
            value = call.convert(value, TypeTable::LONG)?;
        }
        call.pin(value.operand);
        values.push(value);
    }
    Ok(values)
}
