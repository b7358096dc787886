//! `errno`: one object per thread. What a call leaves there is specified only if it fails and says why, so a function that
//! uses it (`Row::uses_errno`) may change it whenever it is called. Where the program never looks at it nothing is done.

use library::FunctionMeaning;
use program::{BinaryOp, Operand, Rvalue, Type};

use super::call::CallLowering;
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{CValue, Form, Lowered};

pub fn errno_location(call: &mut CallLowering) -> Lowered<CValue> {
    let global = call.link_mut().errno();
    let ty = call.link_mut().types.pointer_to(QualType::plain(TypeTable::INT));
    Ok(CValue::scalar(Operand::Global { global, offset: 0 }, ty))
}

/// Whether a model spoils `errno` at its beginning: whatever stands there then, a failure replaces it.
pub fn spoils_errno_in_model(name: &str) -> bool {
    library::row(name).is_some_and(|row| row.meaning == FunctionMeaning::Model && row.uses_errno)
}

/// After a call without a model: unless its result says that it has failed and left a number.
pub fn spoil_errno_after(call: &mut CallLowering, result: CValue) -> Lowered<()> {
    if !call.link().uses_errno || !uses_errno(call.site.name) {
        return Ok(());
    }
    if result.form != Form::Scalar {
        call.emit_with(|emit, span| emit.spoil_errno(span));
        return Ok(());
    }
    call.pin(result.operand);
    let failed = match call.types().register_type(result.ty) {
        Some(ty @ Type::Int(bits)) => {
            let zero = Operand::int(bits, 0);
            let negative = Rvalue::Binary { op: BinaryOp::Slt, ty, left: result.operand, right: zero, signed: true };
            call.compute(negative, Type::BOOL)
        }
        _ => {
            let succeeded = call.truth(result)?;
            call.not(succeeded)
        }
    };
    call.unless(failed, |call| {
        call.emit_with(|emit, span| emit.spoil_errno(span));
        Ok(())
    })
}

/// Functions whose arguments are a list in one object, and those that read by a format, do as the others of their kind.
fn uses_errno(name: &str) -> bool {
    let row = library::row(name).or_else(|| library::row(name.strip_prefix('v')?));
    row.is_some_and(|row| row.uses_errno) || matches!(name.rsplit('_').next(), Some("scanf" | "fscanf"))
}
