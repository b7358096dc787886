//! Attributes of threads and of synchronisation objects. Such an object holds what is set in it as an `int` at its start: the
//! kind of a mutex, the detach state.

use library::NumberRange;
use program::{InstructionKind, Operand, Type};

use super::call::CallLowering;
use super::contract::read_block;
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{Address, CValue, Lowered};

/// Error numbers of Linux.
const EINVAL: u64 = 22;

/// The size of what the first parameter points to, where that is known.
fn attribute_size(call: &mut CallLowering) -> Operand {
    let target = call.site.parameters.first().and_then(|parameter| call.types().pointee(parameter.ty));
    let size = target.and_then(|target| call.types().size_of(target.ty)).unwrap_or(4);
    call.size_operand(size.max(4))
}

pub fn attribute_init(call: &mut CallLowering) -> Lowered<CValue> {
    let target = call.pointer_argument(0)?;
    call.pin(target);
    let size = attribute_size(call);
    if size != call.size_operand(4) {
        call.instruction(InstructionKind::SetMemory { target, byte: Operand::int(8, 0), size });
    }
    call.store_int(target, Operand::int(32, 0));
    Ok(call.constant_result(0))
}

pub fn attribute_set(call: &mut CallLowering) -> Lowered<CValue> {
    let address = call.pointer_argument(0)?;
    call.pin(address);
    let value = call.argument_as(1, TypeTable::INT)?;
    call.pin(value);
    let size = attribute_size(call);
    if size != call.size_operand(4) {
        read_block(call, address, size, false)?;
    }
    let (field, most) = match call.site.name {
        "pthread_mutexattr_settype" => (Some(address), 3),
        "pthread_attr_setschedpolicy" => (policy_field(call, address), 2),
        _ => (Some(address), 1),
    };
    let is_known = call.is_between(value, 32, NumberRange { low: 0, high: most });
    call.pin(is_known);
    let (inside, join) = (call.new_block(), call.new_block());
    call.branch(is_known, inside, join);
    call.switch_to(inside);
    if let Some(field) = field {
        call.store_int(field, value);
    }
    call.goto(join);
    call.switch_to(join);
    let (zero, error) = (Operand::int(32, 0), Operand::int(32, EINVAL));
    let result = call.choose(is_known, Type::Int(32), zero, error);
    call.convert(CValue::scalar(result, TypeTable::INT), call.site.result)
}

/// The policy of scheduling lies behind the state, if there is room; 0 is the ordinary one.
fn policy_field(call: &mut CallLowering, attribute: Operand) -> Option<Operand> {
    let has_room = matches!(attribute_size(call), Operand::Int { value: 8.., .. });
    if !has_room {
        return None;
    }
    let field = call.address_operand(Address::at(attribute).plus(4));
    Some(call.pin(field))
}

/// `pthread_attr_setschedparam`: the policy says which priorities there are.
pub fn set_priority(call: &mut CallLowering) -> Lowered<CValue> {
    let attribute = call.pointer_argument(0)?;
    call.pin(attribute);
    let parameter = call.pointer_argument(1)?;
    call.pin(parameter);
    let size = attribute_size(call);
    read_block(call, attribute, size, true)?;
    let priority = call.load_plain(parameter, Type::Int(32));
    call.pin(priority);
    let policy = match policy_field(call, attribute) {
        Some(field) => call.load_plain(field, Type::Int(32)),
        None => call.input(TypeTable::INT).operand,
    };
    call.pin(policy);
    let none = call.is_between(priority, 32, NumberRange { low: 0, high: 0 });
    let some = call.is_between(priority, 32, NumberRange { low: 1, high: 99 });
    let is_ordinary = call.is_between(policy, 32, NumberRange { low: 0, high: 0 });
    let fits = call.choose(is_ordinary, Type::BOOL, none, some);
    let (zero, error) = (Operand::int(32, 0), Operand::int(32, EINVAL));
    let result = call.choose(fits, Type::Int(32), zero, error);
    call.convert(CValue::scalar(result, TypeTable::INT), call.site.result)
}

pub fn set_thread_name(call: &mut CallLowering) -> Lowered<CValue> {
    call.argument(0)?;
    let name = call.pointer_argument(1)?;
    let result = call.prelude_value("__gordian_name_thread", vec![name]);
    call.convert(CValue::scalar(result, TypeTable::INT), call.site.result)
}

pub fn attribute_get(call: &mut CallLowering) -> Lowered<CValue> {
    let address = call.pointer_argument(0)?;
    call.pin(address);
    let size = attribute_size(call);
    if size != call.size_operand(4) {
        read_block(call, address, size, false)?;
    }
    let pointer = int_pointer(call, 1)?;
    let value = call.load_plain(address, Type::Int(32));
    let place = call.dereference(pointer)?;
    let value = call.convert(CValue::scalar(value, TypeTable::INT), place.ty.ty)?;
    call.store(place, value)?;
    Ok(call.constant_result(0))
}

pub fn int_pointer(call: &mut CallLowering, index: usize) -> Lowered<CValue> {
    let ty = call.link_mut().types.pointer_to(QualType::plain(TypeTable::INT));
    let operand = call.argument_as(index, ty)?;
    Ok(CValue::scalar(call.pin(operand), ty))
}

/// What an attribute object says, 0 if there is none.
pub fn attribute_value(call: &mut CallLowering, attributes: Operand) -> Lowered<Operand> {
    if attributes == Operand::Null {
        return Ok(Operand::int(32, 0));
    }
    if !matches!(attributes, Operand::Register(_)) {
        return Ok(call.load_plain(attributes, Type::Int(32)));
    }
    let result = call.pinned(Type::Int(32));
    call.assign(result, Operand::int(32, 0));
    call.if_not_null(attributes, |call| {
        let value = call.load_plain(attributes, Type::Int(32));
        call.assign(result, value);
        Ok(())
    })?;
    Ok(Operand::Register(result))
}

pub fn attribute_is_set(call: &mut CallLowering, attributes: Operand) -> Lowered<Operand> {
    let value = attribute_value(call, attributes)?;
    call.truth(CValue::scalar(value, TypeTable::INT))
}
