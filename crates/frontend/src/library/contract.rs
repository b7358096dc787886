//! Calls of library functions whose meaning is their row in the crate `library`: every pointer argument is read or
//! written as the row says, and the result is any that the row allows.
//!
//! No execution is lost: a result is chosen and then brought into its range. What a native run knows better it is asked
//! for by functions of the prelude (`__gordian_ask_…`, `__gordian_tell_…`).

use library::{
    AccessExtent, ArgumentAccess, CallOutcome, ChosenNumber, Demand, FunctionMeaning, HiddenUse, LibraryRow, Lifetime,
    NumberRange, Pointer,
};
use program::{BinaryOp, Callee, CastOp, InstructionKind, LocalId, MemoryOrder, Operand, Rvalue, Type};

use super::call::CallLowering;
use crate::ctype::{ArrayLength, QualType, TypeId, TypeTable};
use crate::emit::value::{CValue, LValue, Lowered, PlaceKind};
use crate::prelude;

/// Larger blocks are read at their ends and at any place between.
const MAX_COPIED: u64 = 1024;

/// Why a call fails: whether it does, and the number of the error.
#[derive(Clone, Copy)]
struct ContractFailure {
    condition: Operand,
    error: Operand,
}

pub fn contract_call(call: &mut CallLowering, row: &'static LibraryRow) -> Lowered<CValue> {
    let values = contract_arguments(call)?;
    contract_body(call, row, &values)
}

/// The arguments, to be used more than once.
pub fn contract_arguments(call: &mut CallLowering) -> Lowered<Vec<CValue>> {
    contract_arguments_from(call, 0)
}

pub fn contract_arguments_from(call: &mut CallLowering, first: usize) -> Lowered<Vec<CValue>> {
    let mut values = Vec::new();
    for index in first..call.site.arguments.len() {
        let mut value = call.argument(index)?;
        if let Some(parameter) = call.site.parameters.get(index) {
            value = call.convert(value, parameter.ty)?;
        }
        if let Some(Type::Int(_)) = call.types().register_type(value.ty) {
            value = call.convert(value, TypeTable::LONG_LONG)?;
        }
        call.pin(value.operand);
        values.push(value);
    }
    Ok(values)
}

pub fn contract_body(call: &mut CallLowering, row: &'static LibraryRow, values: &[CValue]) -> Lowered<CValue> {
    if let Some(text) = row.assumes {
        call.link_mut().assume(text.to_owned());
    }
    let streams = contract_reads(call, row, values)?;
    if let Some(hidden) = row.hidden {
        touch_hidden(call, hidden);
    }
    if row.meaning == FunctionMeaning::Yield {
        call.instruction(InstructionKind::Yield);
    }
    let failure = contract_failure(call, row, values);
    // Only structures whose members a native run knows are answers to its question.
    contract_writes(call, row, values, failure, false)?;
    notify_native(call, &streams);
    contract_writes(call, row, values, failure, true)?;
    contract_result(call, row, values, failure)
}

// -----------------------------------------------------------------------------------------------------------------
// Accesses

/// What the call reads, as the row says. The operands for a native run: streams as their numbers.
pub fn contract_reads(call: &mut CallLowering, row: &LibraryRow, values: &[CValue]) -> Lowered<Vec<Operand>> {
    let mut operands: Vec<Operand> = values.iter().map(|value| value.operand).collect();
    for (index, pointer) in row.pointers() {
        let Some(&value) = values.get(index) else { continue };
        match pointer.access {
            ArgumentAccess::Write => {}
            ArgumentAccess::Stream if pointer.nullable => {
                operands[index] = call.prelude_value("__gordian_optional_stream", vec![value.operand]);
            }
            ArgumentAccess::Stream => {
                operands[index] = call.emit_with(|emit, span| emit.stream_number(value.operand, span))
            }
            ArgumentAccess::Read | ArgumentAccess::Update => {
                let work = |call: &mut CallLowering| contract_read(call, index, pointer, values);
                match pointer.nullable {
                    true => call.if_not_null(value.operand, work)?,
                    false => work(call)?,
                }
            }
        }
        call.pin(operands[index]);
    }
    Ok(operands)
}

fn contract_read(call: &mut CallLowering, index: usize, pointer: Pointer, values: &[CValue]) -> Lowered<()> {
    let address = values[index].operand;
    let keep = pointer.access == ArgumentAccess::Update;
    match pointer.extent {
        AccessExtent::Text | AccessExtent::Part => {
            let is_literal = call.site.arguments.get(index).is_some_and(|&expr| call.literal_bytes(expr).is_some());
            if !is_literal {
                let limit = call.size_operand(u64::MAX);
                call.call_prelude("__gordian_read_string", vec![address, limit]);
            }
            Ok(())
        }
        AccessExtent::TextUpTo(limit) => {
            let limit = as_size(call, values[usize::from(limit)])?;
            call.call_prelude("__gordian_read_string", vec![address, limit]);
            Ok(())
        }
        extent => match extent_size(call, index, extent, values)? {
            Some(size) => read_block(call, address, size, keep),
            None => {
                unknown_extent(call);
                Ok(())
            }
        },
    }
}

/// The program declares a function so that it does not say how much is accessed.
fn unknown_extent(call: &mut CallLowering) {
    let what = format!("`{}` of an object whose size is not known", call.site.name);
    call.instruction(InstructionKind::Unsupported { what });
}

/// Reads so many bytes, and writes them again if they are updated.
pub fn read_block(call: &mut CallLowering, address: Operand, size: Operand, keep: bool) -> Lowered<()> {
    match size {
        Operand::Int { value: 0, .. } => {}
        Operand::Int { value, .. } if value <= MAX_COPIED => {
            let copy = scratch_object(call, value)?;
            let target = Operand::Local { local: copy, offset: 0 };
            call.instruction(InstructionKind::CopyMemory { target, source: address, size, overlap: false });
            if keep {
                let back = InstructionKind::CopyMemory { target: address, source: target, size, overlap: false };
                call.instruction(back);
            }
            call.instruction(InstructionKind::End { local: copy });
        }
        _ => {
            let reader = if keep { "__gordian_update_bytes" } else { "__gordian_read_bytes" };
            call.call_prelude(reader, vec![address, size]);
        }
    }
    Ok(())
}

/// An object for a moment; its contents are indeterminate.
fn scratch_object(call: &mut CallLowering, size: u64) -> Lowered<LocalId> {
    let bytes = call.link_mut().types.array_of(QualType::plain(TypeTable::CHAR), ArrayLength::Known(size));
    let local = call.emit_with(|emit, span| emit.add_local("(scratch)", bytes, None, span))?;
    call.instruction(InstructionKind::Begin { local });
    Ok(local)
}

/// What the call writes unless it fails: structures with members in known ranges, or the other objects.
fn contract_writes(
    call: &mut CallLowering,
    row: &LibraryRow,
    values: &[CValue],
    failure: Option<ContractFailure>,
    known: bool,
) -> Lowered<()> {
    let is_meant = |call: &CallLowering, index: usize, pointer: &Pointer| {
        let target = values.get(index).and_then(|value| call.types().pointee(value.ty));
        let is_object = matches!(pointer.extent, AccessExtent::Object(_));
        let has_members = is_object && target.is_some_and(|target| has_known_members(call, target.ty));
        pointer.access == ArgumentAccess::Write && index < values.len() && has_members == known
    };
    let written: Vec<_> = row.pointers().filter(|(index, pointer)| is_meant(call, *index, pointer)).collect();
    if written.is_empty() {
        return Ok(());
    }
    let condition = failure.map_or(Operand::FALSE, |failure| failure.condition);
    call.unless(condition, |call| {
        for (index, pointer) in written {
            let work = |call: &mut CallLowering| match known {
                true => fill_object(call, values[index]),
                false => match extent_size(call, index, pointer.extent, values)? {
                    Some(size) => fill_block(call, values[index].operand, size),
                    None => {
                        unknown_extent(call);
                        Ok(())
                    }
                },
            };
            match pointer.nullable {
                true => call.if_not_null(values[index].operand, work)?,
                false => work(call)?,
            }
        }
        Ok(())
    })
}

/// What the pointer points to gets any contents that it can have.
pub fn fill_object(call: &mut CallLowering, pointer: CValue) -> Lowered<()> {
    let place = call.dereference(pointer)?;
    let place = call.fixed(place);
    store_inputs(call, place, None)
}

/// So many bytes get any contents, in words as far as possible.
fn fill_block(call: &mut CallLowering, address: Operand, size: Operand) -> Lowered<()> {
    let Operand::Int { value: size, .. } = size else {
        call.call_prelude("__gordian_fill_bytes", vec![address, size]);
        return Ok(());
    };
    if size > MAX_COPIED {
        let size = call.size_operand(size);
        call.call_prelude("__gordian_fill_bytes", vec![address, size]);
        return Ok(());
    }
    let function = call.link_mut().prelude_function("__gordian_any_word");
    call.link_mut().needs_prelude(function);
    call.pin(address);
    let mut offset = 0;
    while offset < size {
        let bytes = [8, 4, 2, 1].into_iter().find(|bytes| offset + bytes <= size).unwrap_or(1);
        let word = call.temporary(Type::Int(64));
        let callee = Callee::Direct(function);
        call.instruction(InstructionKind::Call { target: Some(word), callee, arguments: Vec::new() });
        let (from, ty) = (Type::Int(64), Type::Int(8 * bytes as u8));
        let value = match bytes {
            8 => Operand::Register(word),
            _ => {
                let operand = Operand::Register(word);
                call.compute(Rvalue::Cast { op: CastOp::Truncate, from, to: ty, operand }, ty)
            }
        };
        let place = match offset {
            0 => address,
            _ => {
                let moved = Rvalue::PointerAdd { pointer: address, offset: Operand::offset(offset as i64) };
                call.compute(moved, Type::Pointer)
            }
        };
        let order = MemoryOrder::NonAtomic;
        call.instruction(InstructionKind::Store { address: place, value, ty, order });
        offset += bytes;
    }
    Ok(())
}

/// Whether the structure has members whose values the library limits.
fn has_known_members(call: &CallLowering, ty: TypeId) -> bool {
    let Some(record) = call.types().record(ty) else { return is_time(call, ty) };
    let members = call.types().records[record].layout.as_ref().map_or(&[][..], |layout| &layout.members);
    members
        .iter()
        .any(|member| library::range_of_member(&member.name).is_some() || has_known_members(call, member.ty.ty))
}

fn is_time(call: &CallLowering, ty: TypeId) -> bool {
    call.types().name(ty) == "time_t"
}

/// Every scalar in the place gets any value, or any in its range.
pub fn store_inputs(call: &mut CallLowering, place: LValue, range: Option<NumberRange>) -> Lowered<()> {
    if call.types().is_scalar(place.ty.ty) {
        let value = match range {
            Some(range) => call.input_between(place.ty.ty, range),
            None => call.input(place.ty.ty),
        };
        return call.store(place, value);
    }
    let Some(record) = call.types().record(place.ty.ty) else {
        let size = call.types().size_of(place.ty.ty).unwrap_or(0);
        let PlaceKind::Memory(address) = place.kind else { return Ok(()) };
        let address = call.address_operand(address);
        return fill_block(call, address, call.size_operand(size));
    };
    let members = call.types().records[record].layout.as_ref().map_or(Vec::new(), |l| l.members.clone());
    for member in &members {
        if member.name.is_empty() {
            fill_anonymous(call, place, member.offset, member.ty.ty)?;
            continue;
        }
        let range = library::range_of_member(&member.name);
        let member = call.emit_with(|emit, span| emit.member_of(place, &member.name, span))?;
        store_inputs(call, member, range)?;
    }
    Ok(())
}

/// A structure or union without a name, somewhere in the place.
fn fill_anonymous(call: &mut CallLowering, place: LValue, offset: u64, ty: TypeId) -> Lowered<()> {
    let (PlaceKind::Memory(address), Some(size)) = (place.kind, call.types().size_of(ty)) else {
        return Ok(());
    };
    let address = call.address_operand(address.plus(offset));
    fill_block(call, address, call.size_operand(size))
}

/// How many bytes the call accesses, if that can be told.
fn extent_size(
    call: &mut CallLowering,
    index: usize,
    extent: AccessExtent,
    values: &[CValue],
) -> Lowered<Option<Operand>> {
    let argument = |n: u8| values.get(usize::from(n)).copied();
    let size = match extent {
        AccessExtent::Bytes(bytes) => Some(call.size_operand(bytes)),
        AccessExtent::Argument(n) => match argument(n) {
            Some(value) => Some(as_size(call, value)?),
            None => None,
        },
        AccessExtent::Product(m, n) => match (argument(m), argument(n)) {
            (Some(left), Some(right)) => {
                let (left, right) = (as_size(call, left)?, as_size(call, right)?);
                let ty = call.pointer_int();
                let product = Rvalue::Binary { op: BinaryOp::Mul, ty, left, right, signed: false };
                Some(call.compute(product, ty))
            }
            _ => None,
        },
        AccessExtent::Object(_) | AccessExtent::Text | AccessExtent::TextUpTo(_) | AccessExtent::Part => {
            let target = call.types().pointee(values[index].ty).filter(|target| !call.types().is_void(target.ty));
            let size = target.and_then(|target| call.types().size_of(target.ty));
            size.map(|size| call.size_operand(size))
        }
    };
    Ok(size)
}

fn as_size(call: &mut CallLowering, value: CValue) -> Lowered<Operand> {
    let ty = call.types().size_type();
    let size = call.convert(value, ty)?.operand;
    call.pin(size);
    Ok(size)
}

/// A plain access to state that the library does not protect.
pub fn touch_hidden(call: &mut CallLowering, hidden: HiddenUse) {
    let global = call.link_mut().hidden_state(hidden.state);
    let (address, ty) = (Operand::Global { global, offset: 0 }, Type::Int(8));
    let order = MemoryOrder::NonAtomic;
    match hidden.writes {
        true => call.instruction(InstructionKind::Store { address, value: Operand::int(8, 0), ty, order }),
        false => {
            call.load_plain(address, ty);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------------
// Failure

/// Whether the call fails, where that is seen by anybody.
fn contract_failure(call: &mut CallLowering, row: &LibraryRow, values: &[CValue]) -> Option<ContractFailure> {
    let reasons: &[i32] = match row.result {
        CallOutcome::ErrorNumber(errors) => errors,
        CallOutcome::Status(errors) => errors,
        CallOutcome::CheckedStatus => &[],
        _ => return None,
    };
    let can_fail = match row.result {
        CallOutcome::ErrorNumber(errors) => !errors.is_empty(),
        CallOutcome::Status(_) => true,
        _ => false,
    };
    let mut failure = None;
    if can_fail && (call.site.is_used() || call.link().uses_errno) {
        failure = Some(chosen_failure(call, reasons));
    }
    for demand in row.demands {
        let Some(value) = values.get(usize::from(demand.argument)) else { continue };
        let broken = is_broken(call, demand, value.operand, values);
        if broken == Operand::FALSE {
            continue;
        }
        let error = match demand.errors {
            [one] => Operand::int(32, *one as u32 as u64),
            _ => chosen_failure(call, demand.errors).error,
        };
        failure = Some(match failure {
            None => ContractFailure { condition: broken, error },
            Some(before) => ContractFailure {
                condition: call.either(broken, before.condition),
                error: call.choose(broken, Type::Int(32), error, before.error),
            },
        });
    }
    if let Some(failure) = failure {
        call.pin(failure.condition);
        call.pin(failure.error);
    }
    failure
}

/// Whether the number is none that the demand allows, where something is demanded.
fn is_broken(call: &mut CallLowering, demand: &Demand, number: Operand, values: &[CValue]) -> Operand {
    let range = NumberRange { low: demand.low, high: demand.high };
    let inside = call.is_between(number, 64, range);
    let mut broken = call.not(inside);
    for &refused in demand.except {
        let is_refused = call.is_between(number, 64, NumberRange { low: refused, high: refused });
        broken = call.either(is_refused, broken);
    }
    let Some(given) = demand.given.and_then(|given| values.get(usize::from(given))) else { return broken };
    let (ty, left, right) = (Type::Pointer, given.operand, Operand::Null);
    let is_null = call.compute(Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false }, Type::BOOL);
    call.choose(is_null, Type::BOOL, Operand::FALSE, broken)
}

/// Success, or a failure with one of the errors; without any: with any error.
fn chosen_failure(call: &mut CallLowering, errors: &[i32]) -> ContractFailure {
    let choice = call.prelude_value("__gordian_choice", Vec::new());
    call.pin(choice);
    let ty = Type::Int(32);
    let is_zero = Rvalue::Binary { op: BinaryOp::Eq, ty, left: choice, right: Operand::int(32, 0), signed: false };
    let succeeded = call.compute(is_zero, Type::BOOL);
    let condition = call.not(succeeded);
    let error = match errors {
        [] => {
            let inside = call.is_between(choice, 32, NumberRange { low: 1, high: 133 });
            call.choose(inside, ty, choice, Operand::int(32, 5))
        }
        [first, others @ ..] => {
            let mut error = Operand::int(32, *first as u32 as u64);
            for (number, other) in others.iter().zip(2..).map(|(error, number)| (number, error)) {
                let right = Operand::int(32, number);
                let test = Rvalue::Binary { op: BinaryOp::Eq, ty, left: choice, right, signed: false };
                let this = call.compute(test, Type::BOOL);
                error = call.choose(this, ty, Operand::int(32, *other as u32 as u64), error);
            }
            error
        }
    };
    ContractFailure { condition, error }
}

// -----------------------------------------------------------------------------------------------------------------
// Results

fn contract_result(
    call: &mut CallLowering,
    row: &'static LibraryRow,
    values: &[CValue],
    failure: Option<ContractFailure>,
) -> Lowered<CValue> {
    let int = |operand| CValue::scalar(operand, TypeTable::INT);
    let value = match row.result {
        CallOutcome::Void => return Ok(CValue::void()),
        CallOutcome::Constant(number) => return Ok(call.constant_result(number)),
        CallOutcome::ErrorNumber(_) => match failure {
            None => return Ok(call.constant_result(0)),
            Some(ContractFailure { condition, error }) => {
                int(call.choose(condition, Type::Int(32), error, Operand::int(32, 0)))
            }
        },
        CallOutcome::Status(_) | CallOutcome::CheckedStatus => match failure {
            None => return Ok(call.constant_result(0)),
            Some(failure) => minus_one_on(call, failure)?,
        },
        CallOutcome::UpTo(argument) | CallOutcome::Count(argument) => {
            let limit = values.get(usize::from(argument)).map_or(Operand::int(64, 0), |value| value.operand);
            let chosen = call.input(TypeTable::LONG_LONG).operand;
            call.pin(chosen);
            let ty = Type::Int(64);
            let fits = Rvalue::Binary { op: BinaryOp::Ule, ty, left: chosen, right: limit, signed: false };
            let fits = call.compute(fits, Type::BOOL);
            let chosen = call.choose(fits, ty, chosen, Operand::int(64, 0));
            CValue::scalar(chosen, TypeTable::LONG_LONG)
        }
        CallOutcome::Number(choice) => chosen_number(call, choice)?,
        CallOutcome::Argument(argument) | CallOutcome::ArgumentOrNull(argument) => {
            match values.get(usize::from(argument)) {
                Some(&value) => value,
                None => return Ok(call.constant_result(0)),
            }
        }
        CallOutcome::Model(_) => return Ok(call.constant_result(0)),
    };
    call.convert(value, call.site.result)
}

/// -1 and the number in `errno` if the call fails, otherwise 0.
fn minus_one_on(call: &mut CallLowering, failure: ContractFailure) -> Lowered<CValue> {
    let failed = call.not(failure.condition);
    call.pin(failed);
    call.unless(failed, |call| {
        let address = Operand::Global { global: call.link_mut().errno(), offset: 0 };
        let (ty, order) = (Type::Int(32), MemoryOrder::NonAtomic);
        call.instruction(InstructionKind::Store { address, value: failure.error, ty, order });
        Ok(())
    })?;
    let (minus_one, zero) = (Operand::int(32, u64::MAX), Operand::int(32, 0));
    let result = call.choose(failure.condition, Type::Int(32), minus_one, zero);
    Ok(CValue::scalar(result, TypeTable::INT))
}

fn chosen_number(call: &mut CallLowering, choice: ChosenNumber) -> Lowered<CValue> {
    let range = NumberRange { low: choice.low, high: choice.high };
    match choice.lifetime {
        Lifetime::Call | Lifetime::PerArgument => Ok(call.input_between(call.site.result, range)),
        Lifetime::Process => {
            let name = call.site.name;
            let global = call.link_mut().stable_value(name, None, range);
            let address = Operand::Global { global, offset: 0 };
            let value = call.load_plain(address, Type::Int(64));
            call.convert(CValue::scalar(value, TypeTable::LONG_LONG), call.site.result)
        }
    }
}

// -----------------------------------------------------------------------------------------------------------------
// Functions of the prelude

/// Lets a native run do what the function does, or find out what the inputs that follow are.
pub fn notify_native(call: &mut CallLowering, operands: &[Operand]) {
    for kind in ["ask", "tell"] {
        let name = format!("__gordian_{kind}_{}", call.site.name);
        if prelude::defines(&name) {
            call.call_prelude(&name, operands.to_vec());
        }
    }
}
