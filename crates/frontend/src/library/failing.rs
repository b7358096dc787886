//! Calls that succeed unless the user wants to see them fail: allocation (`--malloc-may-fail`) and the creation of threads
//! (`--create-may-fail`). Whether one fails is an input.

use program::{BinaryOp, CastOp, Operand, Rvalue, Type};

use super::call::CallLowering;
use crate::ctype::TypeTable;
use crate::emit::value::{CValue, LValue, Lowered};

/// The number that stands for what was there before, one that the explorer tries.
const KEPT: u64 = 1;

/// What is left of a call that fails.
pub struct Failing {
    /// Whether it may fail at all.
    pub enabled: bool,
    pub ty: Type,
    /// The result.
    pub result: Operand,
    /// The error number that it leaves behind.
    pub errno: Option<u32>,
    /// The place whose contents are then undefined.
    pub lost: Option<LValue>,
}

impl Failing {
    /// Emits what a failure leaves behind besides its result.
    pub fn leave_behind(&self, call: &mut CallLowering) -> Lowered<()> {
        if let Some(number) = self.errno {
            let address = Operand::Global { global: call.link_mut().errno(), offset: 0 };
            call.store_int(address, Operand::int(32, u64::from(number)));
        }
        self.lost.map_or(Ok(()), |place| lose(call, place))
    }
}

/// What is left in a place whose contents are undefined: what was there before, or some number, which is not the handle
/// of a thread.
fn lose(call: &mut CallLowering, place: LValue) -> Lowered<()> {
    let Some(ty) = call.types().register_type(place.ty.ty) else {
        let anything = call.emit_with(|emit, span| emit.unknown_value(place.ty.ty, span));
        return call.store(place, anything);
    };
    let byte = Type::Int(8);
    let operand = call.emit_with(|emit, span| emit.builder.unknown_operand(byte, span));
    call.pin(operand);
    let right = Operand::int(8, KEPT);
    let is_kept = Rvalue::Binary { op: BinaryOp::Eq, ty: byte, left: operand, right, signed: false };
    let is_kept = call.compute(is_kept, Type::BOOL);
    call.pin(is_kept);
    let number = Rvalue::Cast { op: CastOp::SignExtend, from: byte, to: Type::Int(32), operand };
    let number = CValue::scalar(call.compute(number, Type::Int(32)), TypeTable::INT);
    let number = call.convert(number, place.ty.ty)?;
    call.pin(number.operand);
    let before = call.load(place)?;
    let operand = call.choose(is_kept, ty, before.operand, number.operand);
    call.store(place, CValue::scalar(operand, place.ty.ty))
}
