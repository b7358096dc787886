//! Calls of library functions whose meaning is their row in the crate `library`: every pointer argument is read or
//! written as the row says, and the result is any that the row allows.
//!
//! No execution is lost: a result is chosen and then brought into its range. What a native run knows better it is asked
//! for by functions of the prelude (`__gordian_ask_…`, `__gordian_tell_…`).

use base::Span;
use library::{Access, Choice, Demand, Extent, HiddenUse, Lifetime, Meaning, Outcome, Pointer, Range, Row};
use program::{BinaryOp, Callee, CastOp, InstructionKind, LocalId, MemoryOrder, Operand, Rvalue, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Form, Lowered, Place, PlaceKind, Value};
use crate::ctype::{ArrayLength, QualType, TypeId, TypeTable};
use crate::prelude;

/// Larger blocks are read at their ends and at any place between.
const MAX_COPIED: u64 = 1024;

/// Why a call fails: whether it does, and the number of the error.
#[derive(Clone, Copy)]
struct Failure {
    condition: Operand,
    error: Operand,
}

impl Lowerer<'_, '_> {
    pub fn contract_call(&mut self, site: &CallSite<'_>, row: &'static Row) -> Lowered<Value> {
        let values = self.contract_arguments(site)?;
        self.contract_body(site, row, &values)
    }

    /// The arguments, to be used more than once.
    pub fn contract_arguments(&mut self, site: &CallSite<'_>) -> Lowered<Vec<Value>> {
        self.contract_arguments_from(site, 0)
    }

    pub fn contract_arguments_from(&mut self, site: &CallSite<'_>, first: usize) -> Lowered<Vec<Value>> {
        let mut values = Vec::new();
        for index in first..site.arguments.len() {
            let mut value = self.argument(site, index)?;
            if let Some(parameter) = site.parameters.get(index) {
                value = self.convert(value, parameter.ty, site.span)?;
            }
            if let Some(Type::Int(_)) = self.link.types.register_type(value.ty) {
                value = self.convert(value, TypeTable::LONG_LONG, site.span)?;
            }
            self.f.builder.pin(value.operand);
            values.push(value);
        }
        Ok(values)
    }

    pub fn contract_body(&mut self, site: &CallSite<'_>, row: &'static Row, values: &[Value]) -> Lowered<Value> {
        if let Some(text) = row.assumes {
            self.link.assume(text.to_owned());
        }
        let streams = self.contract_reads(site, row, values)?;
        if let Some(hidden) = row.hidden {
            self.touch_hidden(hidden, site.span);
        }
        if row.meaning == Meaning::Yield {
            self.emit(InstructionKind::Yield, site.span);
        }
        let failure = self.contract_failure(site, row, values);
        // Only structures whose members a native run knows are answers to its question.
        self.contract_writes(site, row, values, failure, false)?;
        self.notify_native(site, &streams);
        self.contract_writes(site, row, values, failure, true)?;
        self.contract_result(site, row, values, failure)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Accesses

    /// What the call reads, as the row says. The operands for a native run: streams as their numbers.
    pub fn contract_reads(&mut self, site: &CallSite<'_>, row: &Row, values: &[Value]) -> Lowered<Vec<Operand>> {
        let mut operands: Vec<Operand> = values.iter().map(|value| value.operand).collect();
        for (index, pointer) in row.pointers() {
            let Some(&value) = values.get(index) else { continue };
            match pointer.access {
                Access::Write => {}
                Access::Stream if pointer.nullable => {
                    operands[index] = self.prelude_value("__gordian_optional_stream", vec![value.operand], site);
                }
                Access::Stream => operands[index] = self.stream_number(value.operand, site.span),
                Access::Read | Access::Update => {
                    let work = |lowerer: &mut Self| lowerer.contract_read(site, index, pointer, values);
                    match pointer.nullable {
                        true => self.if_not_null(value.operand, site.span, work)?,
                        false => work(self)?,
                    }
                }
            }
            self.f.builder.pin(operands[index]);
        }
        Ok(operands)
    }

    fn contract_read(&mut self, site: &CallSite<'_>, index: usize, pointer: Pointer, values: &[Value]) -> Lowered<()> {
        let address = values[index].operand;
        let keep = pointer.access == Access::Update;
        match pointer.extent {
            Extent::Text | Extent::Part => {
                let is_literal = site.arguments.get(index).is_some_and(|&expr| self.literal_bytes(expr).is_some());
                if !is_literal {
                    let limit = self.size_operand(u64::MAX);
                    self.call_prelude("__gordian_read_string", vec![address, limit], site);
                }
                Ok(())
            }
            Extent::TextUpTo(limit) => {
                let limit = self.as_size(values[usize::from(limit)], site.span)?;
                self.call_prelude("__gordian_read_string", vec![address, limit], site);
                Ok(())
            }
            extent => match self.extent_size(site, index, extent, values)? {
                Some(size) => self.read_block(address, size, keep, site),
                None => {
                    self.unknown_extent(site);
                    Ok(())
                }
            },
        }
    }

    /// The program declares a function so that it does not say how much is accessed.
    fn unknown_extent(&mut self, site: &CallSite<'_>) {
        let what = format!("`{}` of an object whose size is not known", site.name);
        self.emit(InstructionKind::Unsupported { what }, site.span);
    }

    /// Reads so many bytes, and writes them again if they are updated.
    pub fn read_block(&mut self, address: Operand, size: Operand, keep: bool, site: &CallSite<'_>) -> Lowered<()> {
        match size {
            Operand::Int { value: 0, .. } => {}
            Operand::Int { value, .. } if value <= MAX_COPIED => {
                let copy = self.scratch_object(value, site.span)?;
                let target = Operand::Local { local: copy, offset: 0 };
                self.emit(InstructionKind::CopyMemory { target, source: address, size, overlap: false }, site.span);
                if keep {
                    let back = InstructionKind::CopyMemory { target: address, source: target, size, overlap: false };
                    self.emit(back, site.span);
                }
                self.emit(InstructionKind::End { local: copy }, site.span);
            }
            _ => {
                let reader = if keep { "__gordian_update_bytes" } else { "__gordian_read_bytes" };
                self.call_prelude(reader, vec![address, size], site);
            }
        }
        Ok(())
    }

    /// An object for a moment; its contents are indeterminate.
    fn scratch_object(&mut self, size: u64, span: Span) -> Lowered<LocalId> {
        let bytes = self.link.types.array_of(QualType::plain(TypeTable::CHAR), ArrayLength::Known(size));
        let local = self.add_local("(scratch)", bytes, None, span)?;
        self.emit(InstructionKind::Begin { local }, span);
        Ok(local)
    }

    /// What the call writes unless it fails: structures with members in known ranges, or the other objects.
    fn contract_writes(
        &mut self,
        site: &CallSite<'_>,
        row: &Row,
        values: &[Value],
        failure: Option<Failure>,
        known: bool,
    ) -> Lowered<()> {
        let is_meant = |lowerer: &Self, index: usize, pointer: &Pointer| {
            let target = values.get(index).and_then(|value| lowerer.link.types.pointee(value.ty));
            let is_object = matches!(pointer.extent, Extent::Object(_));
            let has_members = is_object && target.is_some_and(|target| lowerer.has_known_members(target.ty));
            pointer.access == Access::Write && index < values.len() && has_members == known
        };
        let written: Vec<_> = row.pointers().filter(|(index, pointer)| is_meant(self, *index, pointer)).collect();
        if written.is_empty() {
            return Ok(());
        }
        let condition = failure.map_or(Operand::FALSE, |failure| failure.condition);
        self.unless(condition, site.span, |lowerer| {
            for (index, pointer) in written {
                let work = |lowerer: &mut Self| match known {
                    true => lowerer.fill_object(values[index], site),
                    false => match lowerer.extent_size(site, index, pointer.extent, values)? {
                        Some(size) => lowerer.fill_block(values[index].operand, size, site),
                        None => {
                            lowerer.unknown_extent(site);
                            Ok(())
                        }
                    },
                };
                match pointer.nullable {
                    true => lowerer.if_not_null(values[index].operand, site.span, work)?,
                    false => work(lowerer)?,
                }
            }
            Ok(())
        })
    }

    /// What the pointer points to gets any contents that it can have.
    pub fn fill_object(&mut self, pointer: Value, site: &CallSite<'_>) -> Lowered<()> {
        let place = self.dereference(pointer, site.span)?;
        let place = self.fixed(place, site.span);
        self.store_inputs(place, None, site)
    }

    /// So many bytes get any contents, in words as far as possible.
    fn fill_block(&mut self, address: Operand, size: Operand, site: &CallSite<'_>) -> Lowered<()> {
        let Operand::Int { value: size, .. } = size else {
            self.call_prelude("__gordian_fill_bytes", vec![address, size], site);
            return Ok(());
        };
        if size > MAX_COPIED {
            let size = self.size_operand(size);
            self.call_prelude("__gordian_fill_bytes", vec![address, size], site);
            return Ok(());
        }
        let function = self.link.prelude_function("__gordian_any_word");
        self.needs_prelude(function);
        self.f.builder.pin(address);
        let mut offset = 0;
        while offset < size {
            let bytes = [8, 4, 2, 1].into_iter().find(|bytes| offset + bytes <= size).unwrap_or(1);
            let word = self.f.builder.temporary(Type::Int(64));
            let callee = Callee::Direct(function);
            self.emit(InstructionKind::Call { target: Some(word), callee, arguments: Vec::new() }, site.span);
            let (from, ty) = (Type::Int(64), Type::Int(8 * bytes as u8));
            let value = match bytes {
                8 => Operand::Register(word),
                _ => {
                    let operand = Operand::Register(word);
                    self.compute(Rvalue::Cast { op: CastOp::Truncate, from, to: ty, operand }, ty, site.span)
                }
            };
            let place = match offset {
                0 => address,
                _ => {
                    let moved = Rvalue::PointerAdd { pointer: address, offset: Operand::offset(offset as i64) };
                    self.compute(moved, Type::Pointer, site.span)
                }
            };
            let order = MemoryOrder::NonAtomic;
            self.emit(InstructionKind::Store { address: place, value, ty, order }, site.span);
            offset += bytes;
        }
        Ok(())
    }

    /// Whether the structure has members whose values the library limits.
    fn has_known_members(&self, ty: TypeId) -> bool {
        let Some(record) = self.link.types.record(ty) else { return self.is_time(ty) };
        let members = self.link.types.records[record].layout.as_ref().map_or(&[][..], |layout| &layout.members);
        members
            .iter()
            .any(|member| library::range_of_member(&member.name).is_some() || self.has_known_members(member.ty.ty))
    }

    fn is_time(&self, ty: TypeId) -> bool {
        self.link.types.name(ty) == "time_t"
    }

    /// Every scalar in the place gets any value, or any in its range.
    pub fn store_inputs(&mut self, place: Place, range: Option<Range>, site: &CallSite<'_>) -> Lowered<()> {
        if self.link.types.is_scalar(place.ty.ty) {
            let value = match range {
                Some(range) => self.input_between(place.ty.ty, range, site.span),
                None => self.input(place.ty.ty, site.span),
            };
            return self.store(place, value, site.span);
        }
        let Some(record) = self.link.types.record(place.ty.ty) else {
            let size = self.link.types.size_of(place.ty.ty).unwrap_or(0);
            let PlaceKind::Memory(address) = place.kind else { return Ok(()) };
            let address = self.address_operand(address, site.span);
            return self.fill_block(address, self.size_operand(size), site);
        };
        let members = self.link.types.records[record].layout.as_ref().map_or(Vec::new(), |l| l.members.clone());
        for member in &members {
            if member.name.is_empty() {
                self.fill_anonymous(place, member.offset, member.ty.ty, site)?;
                continue;
            }
            let range = library::range_of_member(&member.name);
            let member = self.member_of(place, &member.name, site.span)?;
            self.store_inputs(member, range, site)?;
        }
        Ok(())
    }

    /// A structure or union without a name, somewhere in the place.
    fn fill_anonymous(&mut self, place: Place, offset: u64, ty: TypeId, site: &CallSite<'_>) -> Lowered<()> {
        let (PlaceKind::Memory(address), Some(size)) = (place.kind, self.link.types.size_of(ty)) else {
            return Ok(());
        };
        let address = self.address_operand(address.plus(offset), site.span);
        self.fill_block(address, self.size_operand(size), site)
    }

    /// How many bytes the call accesses, if that can be told.
    fn extent_size(
        &mut self,
        site: &CallSite<'_>,
        index: usize,
        extent: Extent,
        values: &[Value],
    ) -> Lowered<Option<Operand>> {
        let argument = |n: u8| values.get(usize::from(n)).copied();
        let size = match extent {
            Extent::Bytes(bytes) => Some(self.size_operand(bytes)),
            Extent::Argument(n) => match argument(n) {
                Some(value) => Some(self.as_size(value, site.span)?),
                None => None,
            },
            Extent::Product(m, n) => match (argument(m), argument(n)) {
                (Some(left), Some(right)) => {
                    let (left, right) = (self.as_size(left, site.span)?, self.as_size(right, site.span)?);
                    let ty = self.pointer_int();
                    let product = Rvalue::Binary { op: BinaryOp::Mul, ty, left, right, signed: false };
                    Some(self.compute(product, ty, site.span))
                }
                _ => None,
            },
            Extent::Object(_) | Extent::Text | Extent::TextUpTo(_) | Extent::Part => {
                let target =
                    self.link.types.pointee(values[index].ty).filter(|target| !self.link.types.is_void(target.ty));
                let size = target.and_then(|target| self.link.types.size_of(target.ty));
                size.map(|size| self.size_operand(size))
            }
        };
        Ok(size)
    }

    fn as_size(&mut self, value: Value, span: Span) -> Lowered<Operand> {
        let ty = self.link.types.size_type();
        let size = self.convert(value, ty, span)?.operand;
        self.f.builder.pin(size);
        Ok(size)
    }

    /// A plain access to state that the library does not protect.
    pub fn touch_hidden(&mut self, hidden: HiddenUse, span: Span) {
        let global = self.link.hidden_state(hidden.state);
        let (address, ty) = (Operand::Global { global, offset: 0 }, Type::Int(8));
        let order = MemoryOrder::NonAtomic;
        match hidden.writes {
            true => self.emit(InstructionKind::Store { address, value: Operand::int(8, 0), ty, order }, span),
            false => {
                self.load_plain(address, ty, span);
            }
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Failure

    /// Whether the call fails, where that is seen by anybody.
    fn contract_failure(&mut self, site: &CallSite<'_>, row: &Row, values: &[Value]) -> Option<Failure> {
        let reasons: &[i32] = match row.result {
            Outcome::ErrorNumber(errors) => errors,
            Outcome::Status(errors) => errors,
            Outcome::CheckedStatus => &[],
            _ => return None,
        };
        let can_fail = match row.result {
            Outcome::ErrorNumber(errors) => !errors.is_empty(),
            Outcome::Status(_) => true,
            _ => false,
        };
        let mut failure = None;
        if can_fail && (site.used || self.link.uses_errno) {
            failure = Some(self.chosen_failure(reasons, site));
        }
        for demand in row.demands {
            let Some(value) = values.get(usize::from(demand.argument)) else { continue };
            let broken = self.is_broken(demand, value.operand, values, site.span);
            if broken == Operand::FALSE {
                continue;
            }
            let error = match demand.errors {
                [one] => Operand::int(32, *one as u32 as u64),
                _ => self.chosen_failure(demand.errors, site).error,
            };
            failure = Some(match failure {
                None => Failure { condition: broken, error },
                Some(before) => Failure {
                    condition: self.either(broken, before.condition, site.span),
                    error: self.choose(broken, Type::Int(32), error, before.error, site.span),
                },
            });
        }
        if let Some(failure) = failure {
            self.f.builder.pin(failure.condition);
            self.f.builder.pin(failure.error);
        }
        failure
    }

    /// Whether the number is none that the demand allows, where something is demanded.
    fn is_broken(&mut self, demand: &Demand, number: Operand, values: &[Value], span: Span) -> Operand {
        let range = Range { low: demand.low, high: demand.high };
        let inside = self.is_between(number, 64, range, span);
        let mut broken = self.not(inside, span);
        for &refused in demand.except {
            let is_refused = self.is_between(number, 64, Range { low: refused, high: refused }, span);
            broken = self.either(is_refused, broken, span);
        }
        let Some(given) = demand.given.and_then(|given| values.get(usize::from(given))) else { return broken };
        let (ty, left, right) = (Type::Pointer, given.operand, Operand::Null);
        let is_null =
            self.compute(Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false }, Type::BOOL, span);
        self.choose(is_null, Type::BOOL, Operand::FALSE, broken, span)
    }

    /// Success, or a failure with one of the errors; without any: with any error.
    fn chosen_failure(&mut self, errors: &[i32], site: &CallSite<'_>) -> Failure {
        let choice = self.prelude_value("__gordian_choice", Vec::new(), site);
        self.f.builder.pin(choice);
        let ty = Type::Int(32);
        let is_zero = Rvalue::Binary { op: BinaryOp::Eq, ty, left: choice, right: Operand::int(32, 0), signed: false };
        let succeeded = self.compute(is_zero, Type::BOOL, site.span);
        let condition = self.not(succeeded, site.span);
        let error = match errors {
            [] => {
                let inside = self.is_between(choice, 32, Range { low: 1, high: 133 }, site.span);
                self.choose(inside, ty, choice, Operand::int(32, 5), site.span)
            }
            [first, others @ ..] => {
                let mut error = Operand::int(32, *first as u32 as u64);
                for (number, other) in others.iter().zip(2..).map(|(error, number)| (number, error)) {
                    let right = Operand::int(32, number);
                    let test = Rvalue::Binary { op: BinaryOp::Eq, ty, left: choice, right, signed: false };
                    let this = self.compute(test, Type::BOOL, site.span);
                    error = self.choose(this, ty, Operand::int(32, *other as u32 as u64), error, site.span);
                }
                error
            }
        };
        Failure { condition, error }
    }

    pub fn is_between(&mut self, value: Operand, bits: u8, range: Range, span: Span) -> Operand {
        let ty = Type::Int(bits);
        let left = match range.low {
            0 => value,
            low => {
                let right = Operand::int(bits, low as u64);
                self.compute(Rvalue::Binary { op: BinaryOp::Sub, ty, left: value, right, signed: false }, ty, span)
            }
        };
        let right = Operand::int(bits, range.high.wrapping_sub(range.low) as u64);
        self.compute(Rvalue::Binary { op: BinaryOp::Ule, ty, left, right, signed: false }, Type::BOOL, span)
    }

    pub fn either(&mut self, left: Operand, right: Operand, span: Span) -> Operand {
        let ty = Type::BOOL;
        self.compute(Rvalue::Binary { op: BinaryOp::Or, ty, left, right, signed: false }, ty, span)
    }

    pub fn choose(&mut self, condition: Operand, ty: Type, then: Operand, otherwise: Operand, span: Span) -> Operand {
        self.compute(Rvalue::Select { condition, ty, then, otherwise }, ty, span)
    }

    /// Runs `work` only where the condition is false.
    pub fn unless(
        &mut self,
        condition: Operand,
        span: Span,
        work: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (inside, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.f.builder.branch(condition, join, inside, span);
        self.f.builder.switch_to(inside);
        work(self)?;
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(join);
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Results

    fn contract_result(
        &mut self,
        site: &CallSite<'_>,
        row: &'static Row,
        values: &[Value],
        failure: Option<Failure>,
    ) -> Lowered<Value> {
        let int = |operand| Value::scalar(operand, TypeTable::INT);
        let value = match row.result {
            Outcome::Void => return Ok(Value::void()),
            Outcome::Constant(number) => return Ok(self.constant_result(site, number)),
            Outcome::ErrorNumber(_) => match failure {
                None => return Ok(self.constant_result(site, 0)),
                Some(Failure { condition, error }) => {
                    int(self.choose(condition, Type::Int(32), error, Operand::int(32, 0), site.span))
                }
            },
            Outcome::Status(_) | Outcome::CheckedStatus => match failure {
                None => return Ok(self.constant_result(site, 0)),
                Some(failure) => self.minus_one_on(failure, site)?,
            },
            Outcome::UpTo(argument) | Outcome::Count(argument) => {
                let limit = values.get(usize::from(argument)).map_or(Operand::int(64, 0), |value| value.operand);
                let chosen = self.input(TypeTable::LONG_LONG, site.span).operand;
                self.f.builder.pin(chosen);
                let ty = Type::Int(64);
                let fits = Rvalue::Binary { op: BinaryOp::Ule, ty, left: chosen, right: limit, signed: false };
                let fits = self.compute(fits, Type::BOOL, site.span);
                let chosen = self.choose(fits, ty, chosen, Operand::int(64, 0), site.span);
                Value::scalar(chosen, TypeTable::LONG_LONG)
            }
            Outcome::Number(choice) => self.chosen_number(site, choice)?,
            Outcome::Argument(argument) | Outcome::ArgumentOrNull(argument) => {
                match values.get(usize::from(argument)) {
                    Some(&value) => value,
                    None => return Ok(self.constant_result(site, 0)),
                }
            }
            Outcome::Model(_) => return Ok(self.constant_result(site, 0)),
        };
        self.convert(value, site.result, site.span)
    }

    /// -1 and the number in `errno` if the call fails, otherwise 0.
    fn minus_one_on(&mut self, failure: Failure, site: &CallSite<'_>) -> Lowered<Value> {
        let failed = self.not(failure.condition, site.span);
        self.f.builder.pin(failed);
        self.unless(failed, site.span, |lowerer| {
            let address = Operand::Global { global: lowerer.link.errno(), offset: 0 };
            let (ty, order) = (Type::Int(32), MemoryOrder::NonAtomic);
            lowerer.emit(InstructionKind::Store { address, value: failure.error, ty, order }, site.span);
            Ok(())
        })?;
        let (minus_one, zero) = (Operand::int(32, u64::MAX), Operand::int(32, 0));
        let result = self.choose(failure.condition, Type::Int(32), minus_one, zero, site.span);
        Ok(Value::scalar(result, TypeTable::INT))
    }

    fn chosen_number(&mut self, site: &CallSite<'_>, choice: Choice) -> Lowered<Value> {
        let range = Range { low: choice.low, high: choice.high };
        match choice.lifetime {
            Lifetime::Call | Lifetime::PerArgument => Ok(self.input_between(site.result, range, site.span)),
            Lifetime::Process => {
                let global = self.link.stable_value(site.name, None, range);
                let address = Operand::Global { global, offset: 0 };
                let value = self.load_plain(address, Type::Int(64), site.span);
                self.convert(Value::scalar(value, TypeTable::LONG_LONG), site.result, site.span)
            }
        }
    }

    /// Any value of the type that lies in the range.
    pub fn input_between(&mut self, ty: TypeId, range: Range, span: Span) -> Value {
        let value = self.input(ty, span);
        let Some(Type::Int(bits)) = self.link.types.register_type(ty).filter(|_| value.form == Form::Scalar) else {
            return value;
        };
        let (least, most) = match self.link.types.is_signed(ty) {
            true => (i64::MIN >> (64 - u32::from(bits)), i64::MAX >> (64 - u32::from(bits))),
            false if bits < 63 => (0, (1 << bits) - 1),
            false => (0, i64::MAX),
        };
        let range = Range { low: range.low.max(least), high: range.high.min(most) };
        if range.low > range.high {
            return value;
        }
        self.f.builder.pin(value.operand);
        let inside = self.is_between(value.operand, bits, range, span);
        let operand = self.choose(inside, Type::Int(bits), value.operand, Operand::int(bits, range.low as u64), span);
        Value::scalar(operand, ty)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Functions of the prelude

    /// The number of an open stream, which stands in the object that it is.
    pub fn stream_number(&mut self, stream: Operand, span: Span) -> Operand {
        // The prelude defines the standard streams.
        let function = self.link.prelude_function("__gordian_optional_stream");
        self.needs_prelude(function);
        let number = self.load_plain(stream, Type::Int(32), span);
        self.f.builder.pin(number)
    }

    /// Calls a function of the prelude that returns an `int`.
    pub fn prelude_value(&mut self, name: &str, arguments: Vec<Operand>, site: &CallSite<'_>) -> Operand {
        let function = self.link.prelude_function(name);
        self.needs_prelude(function);
        let target = self.f.builder.temporary(Type::Int(32));
        let callee = Callee::Direct(function);
        self.emit(InstructionKind::Call { target: Some(target), callee, arguments }, site.span);
        Operand::Register(target)
    }

    /// Lets a native run do what the function does, or find out what the inputs that follow are.
    pub fn notify_native(&mut self, site: &CallSite<'_>, operands: &[Operand]) {
        for kind in ["ask", "tell"] {
            let name = format!("__gordian_{kind}_{}", site.name);
            if prelude::defines(&name) {
                self.call_prelude(&name, operands.to_vec(), site);
            }
        }
    }
}
