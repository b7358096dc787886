//! Arithmetic on tokens, by the operators of crate `symbolic`; what C demands of the operands parts the path.

use execute::{Arg, Op, Typed, Value};
use program::{BinaryOp, CastOp, DataModel, InstructionKind, Operand, Property, RegisterId, Rvalue, Type};
use symbolic::{Evaluator, NotSupported, Obligation, SymValue, evaluate};
use terms::{TermId, Terms};

use crate::stepper::{Stepper, Stop};

impl Stepper<'_> {
    /// Executes an assignment that computes with tokens. `false` if it does not.
    pub(crate) fn arithmetic(&mut self, op: &Op) -> Result<bool, Stop> {
        match *op {
            Op::Binary { target, op, ty: Typed { ty: Type::Pointer, .. }, left, right, .. } => {
                if !self.is_opaque(left) && !self.is_opaque(right) {
                    return Ok(false);
                }
                let result = self.compare_pointers(op, left, right)?;
                self.assign(target, result);
            }
            Op::Unary { target, operand, .. } => {
                if !self.is_opaque(operand) {
                    return Ok(false);
                }
                self.operate(target, [operand; 2])?;
            }
            Op::Binary { target, left, right, .. } => {
                if !self.is_opaque(left) && !self.is_opaque(right) {
                    return Ok(false);
                }
                self.operate(target, [left, right])?;
            }
            Op::Cast { target, op, from, to, operand } => {
                if !self.is_opaque(operand) {
                    return Ok(false);
                }
                match op {
                    CastOp::PointerToInt | CastOp::IntToPointer => self.cast_pointer(target, op, from, to, operand)?,
                    _ => self.operate(target, [operand; 2])?,
                }
            }
            Op::PointerAdd { target, pointer, offset } => {
                if !self.is_opaque(pointer) && !self.is_opaque(offset) {
                    return Ok(false);
                }
                self.pointer_add(target, pointer, offset)?;
            }
            Op::PointerDifference { target, left, right } => {
                if !self.is_opaque(left) && !self.is_opaque(right) {
                    return Ok(false);
                }
                self.expect_one_object(self.machine.value(left), self.machine.value(right))?;
                let (left, right) = (self.pointer_term(left), self.pointer_term(right));
                let difference = self.symbols.terms.sub(left, right);
                self.assign(target, difference);
            }
            Op::Select { target, condition, then, otherwise } => {
                if !self.is_opaque(condition) {
                    return Ok(false);
                }
                return self.select(target, condition, then, otherwise);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn assign(&mut self, target: u32, term: TermId) {
        let value = self.symbols.value(term, None);
        self.machine.assign(target, value);
    }

    fn pointer_term(&mut self, arg: Arg) -> TermId {
        let value = self.machine.value(arg);
        self.symbols.term(value, self.machine.code().pointer_bits)
    }

    /// Evaluates the assignment at hand, unless that was done before, with the same operands.
    fn operate(&mut self, target: u32, operands: [Arg; 2]) -> Result<(), Stop> {
        if operands.iter().any(|&operand| self.symbols.provenance(self.machine.value(operand)).is_some()) {
            return Err(self.unsupported("integer arithmetic on a pointer value".to_owned()));
        }
        let key = (self.machine.thread().pc, operands.map(|operand| self.machine.value(operand)));
        if let Some(&known) = self.results.get(&key) {
            self.machine.assign(target, known);
            return Ok(());
        }
        let (term, demands_nothing) = self.evaluate()?;
        let result = self.symbols.value(term, None);
        if demands_nothing {
            self.results.insert(key, result);
        }
        self.machine.assign(target, result);
        Ok(())
    }

    /// The value of the assignment at hand, and whether it demands nothing of its operands.
    fn evaluate(&mut self) -> Result<(TermId, bool), Stop> {
        let code = self.machine.code();
        let location = code.locations[self.machine.thread().pc as usize];
        let block = &code.program.functions[location.function].blocks[location.block];
        let InstructionKind::Assign { value: rvalue, .. } = &block.instructions[location.index as usize].kind else {
            unreachable!("arithmetic should be an assignment")
        };
        let mut obligations = Vec::new();
        let mut values = Vec::new();
        for operand in operands(rvalue) {
            if let Operand::Register(register) = operand {
                let ty = code.program.functions[location.function].registers[register].ty;
                let term = self.operand_term(operand, ty.bits(code.program.data_model));
                values.push((register, if ty == Type::Int(1) { SymValue::Bool(term) } else { SymValue::Int(term) }));
            }
        }
        let terms = &mut self.symbols.terms;
        let mut context = AssignmentOperands { terms, data_model: code.program.data_model, values };
        let result = evaluate::rvalue(&mut context, rvalue, &mut obligations);
        let summands = summands(&mut context, rvalue);
        let result = result.map_err(|NotSupported(what)| self.unsupported(what))?;
        let (SymValue::Bool(term) | SymValue::Int(term)) = result else {
            return Err(self.unsupported("integer arithmetic on a pointer value".to_owned()));
        };
        obligations.retain(|obligation| !obligation.harmless || self.selects(obligation.property));
        obligations.iter().try_for_each(|obligation| self.demand(obligation))?;
        let term = match summands {
            Some((left, right, subtract)) => self.sums.combine(&mut self.symbols.terms, left, right, subtract),
            None => term,
        };
        Ok((term, obligations.is_empty()))
    }

    fn operand_term(&mut self, operand: Operand, bits: u8) -> TermId {
        let value = match operand {
            Operand::Register(register) => self.machine.thread().register(register.0),
            other => self.machine.code().constant(other).unwrap_or(Value::ZERO),
        };
        self.symbols.term(value, bits)
    }

    /// What is not defined ends the execution at least.
    fn demand(&mut self, obligation: &Obligation) -> Result<(), Stop> {
        if self.truth(obligation.holds)? {
            return Ok(());
        }
        Err(self.machine.undefined(Some(obligation.property), obligation.property.to_string()).into())
    }

    /// Where objects lie decides nothing: what is compared points into one object, or is null, or a number.
    pub(crate) fn expect_one_object(&self, left: Value, right: Value) -> Result<(), Stop> {
        let is_null = |value: Value| !value.is_opaque() && !value.has_object() && value.bits == 0;
        if self.symbols.provenance(left) != self.symbols.provenance(right) && !is_null(left) && !is_null(right) {
            return Err(self.unsupported("comparison of pointers into different objects".to_owned()));
        }
        Ok(())
    }

    fn compare_pointers(&mut self, op: BinaryOp, left: Arg, right: Arg) -> Result<TermId, Stop> {
        self.expect_one_object(self.machine.value(left), self.machine.value(right))?;
        let terms = (self.pointer_term(left), self.pointer_term(right));
        let arena = &mut self.symbols.terms;
        Ok(match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let equal = arena.eq(terms.0, terms.1);
                if op == BinaryOp::Eq { equal } else { arena.not(equal) }
            }
            BinaryOp::Ult => arena.ult(terms.0, terms.1),
            BinaryOp::Ule => arena.ule(terms.0, terms.1),
            BinaryOp::Slt => arena.slt(terms.0, terms.1),
            BinaryOp::Sle => arena.sle(terms.0, terms.1),
            _ => return Err(self.unsupported("integer arithmetic on a pointer value".to_owned())),
        })
    }

    fn pointer_add(&mut self, target: u32, pointer: Arg, offset: Arg) -> Result<(), Stop> {
        let provenance = self.symbols.provenance(self.machine.value(pointer));
        let (base, offset) = (self.pointer_term(pointer), self.machine.value(offset));
        let offset = self.symbols.term(offset, 64);
        let sum = symbolic::moved(&mut self.symbols.terms, base, offset);
        // Whether memory is lost depends on who points to it, and the interpreter does not look into tokens.
        if self.selects(Property::ValidMemtrack) && self.symbols.terms.as_constant(sum).is_none() {
            let known = self.value_of(sum)?;
            self.machine.assign(target, Value::with_provenance(known, provenance));
            return Ok(());
        }
        let value = self.symbols.value(sum, provenance);
        self.machine.assign(target, value);
        Ok(())
    }

    fn cast_pointer(&mut self, target: u32, op: CastOp, from: Typed, to: Typed, operand: Arg) -> Result<(), Stop> {
        let value = self.machine.value(operand);
        let provenance = self.symbols.provenance(value);
        let term = self.symbols.term(value, from.bits);
        let resized = self.symbols.term(value, to.bits);
        let kept = provenance.filter(|_| from.bits == to.bits);
        if let (CastOp::PointerToInt, Some(object)) = (op, provenance) {
            self.machine.state.memory.expose(object);
        }
        let may_find_object = op == CastOp::IntToPointer
            && kept.is_none()
            && self.machine.state.memory.objects().any(|(_, object)| object.exposed && object.is_alive());
        if may_find_object {
            let bits = self.value_of(term)? & execute::mask(to.bits);
            let found = self.machine.state.memory.find_exposed(bits);
            self.machine.assign(target, Value::with_provenance(bits, found));
            return Ok(());
        }
        let value = self.symbols.value(resized, kept);
        self.machine.assign(target, value);
        Ok(())
    }

    /// A choice between integers is a term; one between pointers parts the path.
    fn select(&mut self, target: u32, condition: Arg, then: Arg, otherwise: Arg) -> Result<bool, Stop> {
        let (a, b) = (self.machine.value(then), self.machine.value(otherwise));
        let points = self.symbols.provenance(a).is_some() || self.symbols.provenance(b).is_some();
        let code = self.machine.code();
        let function = code.locations[self.machine.thread().pc as usize].function;
        let ty = code.program.functions[function].registers[RegisterId(target)].ty;
        if points || ty == Type::Pointer {
            self.settle_truth(condition)?;
            return Ok(false);
        }
        let bits = ty.bits(code.program.data_model);
        let test = self.symbols.term(self.machine.value(condition), 1);
        let (a, b) = (self.symbols.term(a, bits), self.symbols.term(b, bits));
        let chosen = self.symbols.terms.ite(test, a, b);
        self.assign(target, chosen);
        Ok(true)
    }
}

/// What is added up, and whether the second is subtracted.
fn summands(context: &mut AssignmentOperands<'_>, rvalue: &Rvalue) -> Option<(TermId, TermId, bool)> {
    let Rvalue::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right, .. } = *rvalue else { return None };
    let mut integer = |operand| match evaluate::operand(context, operand) {
        Ok(SymValue::Int(term)) => Some(term),
        _ => None,
    };
    Some((integer(left)?, integer(right)?, op == BinaryOp::Sub))
}

fn operands(rvalue: &Rvalue) -> impl Iterator<Item = Operand> {
    let operands = match *rvalue {
        Rvalue::Unary { operand, .. } | Rvalue::Cast { operand, .. } | Rvalue::Use(operand) => [operand; 2],
        Rvalue::Binary { left, right, .. } | Rvalue::PointerDifference { left, right } => [left, right],
        Rvalue::PointerAdd { pointer, offset } => [pointer, offset],
        Rvalue::Select { then, otherwise, .. } => [then, otherwise],
    };
    operands.into_iter()
}

/// The operands of one assignment: bits, whatever is behind them.
struct AssignmentOperands<'a> {
    terms: &'a mut Terms,
    data_model: DataModel,
    values: Vec<(RegisterId, SymValue)>,
}

impl Evaluator for AssignmentOperands<'_> {
    fn terms(&mut self) -> &mut Terms {
        self.terms
    }

    fn data_model(&self) -> DataModel {
        self.data_model
    }

    fn register(&self, register: RegisterId) -> Option<SymValue> {
        self.values.iter().find(|(known, _)| *known == register).map(|(_, value)| value.clone())
    }

    fn address(&mut self, _: Operand) -> Result<SymValue, NotSupported> {
        Err(NotSupported("integer arithmetic on a pointer value".to_owned()))
    }
}
