//! `errno`: one object per thread. What a call leaves there is specified only if it fails and says why, so a function that
//! uses it (`Row::uses_errno`) may change it whenever it is called. Where the program never looks at it nothing is done.

use base::Span;
use library::{Meaning, Row};
use program::{BinaryOp, Callee, InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Form, Lowered, Value};
use crate::ctype::{QualType, TypeTable};

impl Lowerer<'_, '_> {
    pub fn errno_location(&mut self, _site: &CallSite<'_>) -> Lowered<Value> {
        let global = self.link.errno();
        let ty = self.link.types.pointer_to(QualType::plain(TypeTable::INT));
        Ok(Value::scalar(Operand::Global { global, offset: 0 }, ty))
    }

    /// At the beginning of a model: whatever stands in `errno` then, a failure replaces it.
    pub fn spoil_errno_in_model(&mut self, name: &str, span: Span) {
        let is_model = |row: &&Row| row.meaning == Meaning::Model && row.uses_errno;
        if self.built_in && self.link.uses_errno && library::row(name).filter(is_model).is_some() {
            self.spoil_errno(span);
        }
    }

    /// After a call without a model: unless its result says that it has failed and left a number.
    pub fn spoil_errno_after(&mut self, site: &CallSite<'_>, result: Value) -> Lowered<()> {
        if !self.link.uses_errno || !uses_errno(site.name) {
            return Ok(());
        }
        if result.form != Form::Scalar {
            self.spoil_errno(site.span);
            return Ok(());
        }
        self.f.builder.pin(result.operand);
        let failed = match self.link.types.register_type(result.ty) {
            Some(ty @ Type::Int(bits)) => {
                let zero = Operand::int(bits, 0);
                let negative =
                    Rvalue::Binary { op: BinaryOp::Slt, ty, left: result.operand, right: zero, signed: true };
                self.compute(negative, Type::BOOL, site.span)
            }
            _ => {
                let succeeded = self.truth(result, site.span)?;
                self.not(succeeded, site.span)
            }
        };
        self.unless(failed, site.span, |lowerer| {
            lowerer.spoil_errno(site.span);
            Ok(())
        })
    }

    fn spoil_errno(&mut self, span: Span) {
        let function = self.link.prelude_function("__gordian_spoil_errno");
        self.needs_prelude(function);
        let call = InstructionKind::Call { target: None, callee: Callee::Direct(function), arguments: Vec::new() };
        self.emit(call, span);
    }
}

/// Functions whose arguments are a list in one object, and those that read by a format, do as the others of their kind.
fn uses_errno(name: &str) -> bool {
    let row = library::row(name).or_else(|| library::row(name.strip_prefix('v')?));
    row.is_some_and(|row| row.uses_errno) || matches!(name.rsplit('_').next(), Some("scanf" | "fscanf"))
}
