//! Allocation and block operations. `malloc` succeeds, which is an assumption of every verdict, unless the user says that
//! it may fail.

use program::{AllocationKind, BinaryOp, BlockId, InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use super::call::CallSite;
use super::failing_calls::Failing;
use super::value::{Lowered, Value};
use crate::ctype::TypeTable;

/// Error numbers of Linux.
const ENOMEM: u32 = 12;
const EINVAL: i64 = 22;

impl Lowerer<'_, '_> {
    fn max_align(&self) -> u64 {
        2 * self.link.types.model.pointer_bytes()
    }

    fn allocate(
        &mut self,
        size: Operand,
        zeroed: bool,
        align: u64,
        kind: AllocationKind,
        site: &CallSite<'_>,
    ) -> Value {
        let target = self.f.builder.temporary(Type::Pointer);
        self.emit(InstructionKind::Allocate { target, size, zeroed, align, kind, shape: None }, site.span);
        self.pointer_result(Operand::Register(target), site)
    }

    /// A pointer as the declared result type, which is `int` for an undeclared function.
    fn pointer_result(&mut self, pointer: Operand, site: &CallSite<'_>) -> Value {
        let ty = match self.link.types.pointee(site.result) {
            Some(_) => site.result,
            None => TypeTable::VOID_POINTER,
        };
        Value::scalar(pointer, ty)
    }

    pub fn malloc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let size = self.size_argument(site, 0)?;
        self.evaluate_from(site, 1)?;
        let align = self.max_align();
        self.allocate_on_heap(size, false, align, site)
    }

    /// A heap object, or null where allocations may fail, or where it has no bytes (C11 7.22.3).
    fn allocate_on_heap(&mut self, size: Operand, zeroed: bool, align: u64, site: &CallSite<'_>) -> Lowered<Value> {
        let failing = self.null_result();
        let pointer = self.or_fails(&failing, site.span, |this| {
            if is_positive(size) {
                return Ok(this.allocate(size, zeroed, align, AllocationKind::Heap, site).operand);
            }
            let result = this.f.builder.pinned(Type::Pointer);
            let [null, object, join] = std::array::from_fn(|_| this.f.builder.new_block());
            this.branch_if_empty(size, null, object, site)?;
            this.f.builder.switch_to(null);
            this.f.builder.assign(result, Operand::Null, site.span);
            this.f.builder.goto(join, site.span);
            this.f.builder.switch_to(object);
            let made = this.allocate(size, zeroed, align, AllocationKind::Heap, site).operand;
            this.f.builder.assign(result, made, site.span);
            this.f.builder.goto(join, site.span);
            this.f.builder.switch_to(join);
            Ok(Operand::Register(result))
        })?;
        Ok(self.pointer_result(pointer, site))
    }

    /// Where the size is zero, the execution may go on in `null`; else it goes on in `object`.
    fn branch_if_empty(&mut self, size: Operand, null: BlockId, object: BlockId, site: &CallSite<'_>) -> Lowered<()> {
        let empty = self.f.builder.new_block();
        let is_empty = self.is_zero_size(size, site);
        self.f.builder.branch(is_empty, empty, object, site.span);
        self.f.builder.switch_to(empty);
        let choice = self.prelude_value("__gordian_choice", Vec::new(), site);
        let is_null = self.truth(Value::scalar(choice, TypeTable::INT), site.span)?;
        self.f.builder.branch(is_null, null, object, site.span);
        Ok(())
    }

    fn is_zero_size(&mut self, size: Operand, site: &CallSite<'_>) -> Operand {
        self.f.builder.pin(size);
        let (ty, right) = (self.pointer_int(), self.size_operand(0));
        let test = Rvalue::Binary { op: BinaryOp::Eq, ty, left: size, right, signed: false };
        self.compute(test, Type::BOOL, site.span)
    }

    fn null_result(&self) -> Failing {
        let enabled = self.link.options.failures.allocation;
        Failing { enabled, ty: Type::Pointer, result: Operand::Null, errno: Some(ENOMEM), lost: None }
    }

    /// Memory that the library keeps for itself.
    pub fn library_memory(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let size = self.size_argument(site, 0)?;
        let align = self.max_align();
        Ok(self.allocate(size, true, align, AllocationKind::Library, site))
    }

    pub fn calloc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let count = self.size_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        self.f.builder.pin(count);
        self.f.builder.pin(size);
        let too_large = self.product_overflows(count, size, site);
        let total = self.multiply_sizes(count, size, site.span);
        let align = self.max_align();
        if too_large == Operand::FALSE {
            return self.allocate_on_heap(total, true, align, site);
        }
        let result = self.f.builder.pinned(Type::Pointer);
        self.f.builder.pin(total);
        let [none, some, join] = std::array::from_fn(|_| self.f.builder.new_block());
        self.f.builder.branch(too_large, none, some, site.span);
        self.f.builder.switch_to(none);
        let address = Operand::Global { global: self.link.errno(), offset: 0 };
        self.store_attribute(address, Operand::int(32, u64::from(ENOMEM)), site.span);
        self.f.builder.assign(result, Operand::Null, site.span);
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(some);
        let made = self.allocate_on_heap(total, true, align, site)?;
        self.f.builder.assign(result, made.operand, site.span);
        self.f.builder.goto(join, site.span);
        self.f.builder.switch_to(join);
        Ok(self.pointer_result(Operand::Register(result), site))
    }

    /// Whether the product of two sizes is none: `calloc` returns null then.
    fn product_overflows(&mut self, count: Operand, size: Operand, site: &CallSite<'_>) -> Operand {
        let bits = self.link.types.model.pointer_bits();
        let most = u64::MAX >> (64 - u32::from(bits));
        let ty = Type::Int(bits);
        let binary = |op, left, right| Rvalue::Binary { op, ty, left, right, signed: false };
        match (count, size) {
            (Operand::Int { value: 0, .. }, _) | (_, Operand::Int { value: 0, .. }) => Operand::FALSE,
            (Operand::Int { value: one, .. }, Operand::Int { value: other, .. }) => {
                if one > most / other {
                    Operand::TRUE
                } else {
                    Operand::FALSE
                }
            }
            (Operand::Int { value, .. }, other) | (other, Operand::Int { value, .. }) => {
                let limit = Operand::int(bits, most / value);
                self.compute(binary(BinaryOp::Ult, limit, other), Type::BOOL, site.span)
            }
            _ => {
                // Divided by one instead of by zero, the limit is never passed.
                let is_zero = self.is_zero_size(size, site);
                let divisor = self.choose(is_zero, ty, Operand::int(bits, 1), size, site.span);
                let limit = self.compute(binary(BinaryOp::UDiv, Operand::int(bits, most), divisor), ty, site.span);
                self.compute(binary(BinaryOp::Ult, limit, count), Type::BOOL, site.span)
            }
        }
    }

    pub fn realloc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let address = self.pointer_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        let failing = self.null_result();
        self.f.builder.pin(address);
        let pointer = self.or_fails(&failing, site.span, |this| {
            if is_positive(size) {
                return Ok(this.reallocate(address, size, site));
            }
            let result = this.f.builder.pinned(Type::Pointer);
            let [empty, larger, null, object, join] = std::array::from_fn(|_| this.f.builder.new_block());
            let is_empty = this.is_zero_size(size, site);
            this.f.builder.branch(is_empty, empty, larger, site.span);
            // To no bytes: the old object ends, and there is none or one without bytes.
            this.f.builder.switch_to(empty);
            this.emit(InstructionKind::Free { address, kind: AllocationKind::Heap }, site.span);
            this.branch_if_empty(this.size_operand(0), null, object, site)?;
            this.f.builder.switch_to(null);
            this.f.builder.assign(result, Operand::Null, site.span);
            this.f.builder.goto(join, site.span);
            this.f.builder.switch_to(object);
            let (none, align) = (this.size_operand(0), this.max_align());
            let made = this.allocate(none, false, align, AllocationKind::Heap, site).operand;
            this.f.builder.assign(result, made, site.span);
            this.f.builder.goto(join, site.span);
            this.f.builder.switch_to(larger);
            let moved = this.reallocate(address, size, site);
            this.f.builder.assign(result, moved, site.span);
            this.f.builder.goto(join, site.span);
            this.f.builder.switch_to(join);
            Ok(Operand::Register(result))
        })?;
        Ok(self.pointer_result(pointer, site))
    }

    fn reallocate(&mut self, address: Operand, size: Operand, site: &CallSite<'_>) -> Operand {
        let target = self.f.builder.temporary(Type::Pointer);
        self.emit(InstructionKind::Reallocate { target, address, size }, site.span);
        Operand::Register(target)
    }

    pub fn aligned_alloc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let align = self.size_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        if !matches!(align, Operand::Int { value, .. } if value.is_power_of_two()) {
            let what = format!("`{}` with an alignment that is no constant power of two", site.name);
            return Ok(self.unsupported(what, TypeTable::VOID_POINTER, site.span));
        }
        let align = self.known_alignment(align);
        self.allocate_on_heap(size, false, align, site)
    }

    fn known_alignment(&self, align: Operand) -> u64 {
        match align {
            Operand::Int { value, .. } if value.is_power_of_two() => value.max(self.max_align()),
            _ => self.max_align(),
        }
    }

    pub fn posix_memalign(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let cell = self.pointer_argument(site, 0)?;
        let align = self.size_argument(site, 1)?;
        let size = self.size_argument(site, 2)?;
        let least = self.link.types.model.pointer_bytes();
        if let Operand::Int { value, .. } = align
            && (!value.is_power_of_two() || value < least)
        {
            return Ok(self.constant_result(site, EINVAL));
        }
        if !matches!(align, Operand::Int { .. }) {
            let what = "`posix_memalign` with an alignment that is not constant";
            return Ok(self.unsupported(what, site.result, site.span));
        }
        let align = self.known_alignment(align);
        let enabled = self.link.options.failures.allocation;
        let result = Operand::int(32, u64::from(ENOMEM));
        let failing = Failing { enabled, ty: Type::Int(32), result, errno: None, lost: None };
        let error = self.or_fails(&failing, site.span, |this| {
            let value = this.allocate(size, false, align, AllocationKind::Heap, site);
            let place = this.pointer_cell(cell);
            this.store(place, Value { ty: TypeTable::VOID_POINTER, ..value }, site.span)?;
            Ok(Operand::int(32, 0))
        })?;
        Ok(if enabled { self.int_result(error, site) } else { self.constant_result(site, 0) })
    }

    pub fn alloca(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let size = self.size_argument(site, 0)?;
        Ok(self.allocate(size, false, 16, AllocationKind::Stack, site))
    }

    pub fn free(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.end_object(site, AllocationKind::Heap)
    }

    /// Ends what [`library_memory`](Self::library_memory) made.
    pub fn library_free(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.end_object(site, AllocationKind::Library)
    }

    fn end_object(&mut self, site: &CallSite<'_>, kind: AllocationKind) -> Lowered<Value> {
        let address = self.pointer_argument(site, 0)?;
        self.emit(InstructionKind::Free { address, kind }, site.span);
        Ok(self.constant_result(site, 0))
    }

    pub fn copy_memory(&mut self, site: &CallSite<'_>, overlap: bool) -> Lowered<Value> {
        let target = self.pointer_argument(site, 0)?;
        let source = self.pointer_argument(site, 1)?;
        let size = self.size_argument(site, 2)?;
        self.f.builder.pin(target);
        if size != self.size_operand(0) {
            self.emit(InstructionKind::CopyMemory { target, source, size, overlap }, site.span);
        }
        Ok(self.pointer_result(target, site))
    }

    /// As `memcpy`, but the result is the end of the copy.
    pub fn mempcpy(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.pointer_argument(site, 0)?;
        let source = self.pointer_argument(site, 1)?;
        let size = self.size_argument(site, 2)?;
        self.f.builder.pin(target);
        self.f.builder.pin(size);
        self.emit(InstructionKind::CopyMemory { target, source, size, overlap: false }, site.span);
        let offset = self.resize(size, self.pointer_int(), Rvalue::OFFSET, false, site.span);
        let end = self.compute(Rvalue::PointerAdd { pointer: target, offset }, Type::Pointer, site.span);
        Ok(self.pointer_result(end, site))
    }

    pub fn set_memory(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.pointer_argument(site, 0)?;
        let byte = self.argument_as(site, 1, TypeTable::UNSIGNED_CHAR)?;
        let size = self.size_argument(site, 2)?;
        self.f.builder.pin(target);
        self.emit(InstructionKind::SetMemory { target, byte, size }, site.span);
        Ok(self.pointer_result(target, site))
    }

    pub fn bzero(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.pointer_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        self.emit(InstructionKind::SetMemory { target, byte: Operand::int(8, 0), size }, site.span);
        Ok(Value::void())
    }
}

fn is_positive(size: Operand) -> bool {
    matches!(size, Operand::Int { value, .. } if value != 0)
}
