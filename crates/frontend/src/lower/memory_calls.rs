//! Allocation and block operations. `malloc` succeeds, which is an assumption of every verdict, unless the user says that
//! it may fail.

use program::{AllocationKind, BinaryOp, InstructionKind, Operand, Rvalue, Type};

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
        let value = self.allocate_on_heap(size, false, align, site)?;
        Ok(self.perhaps_null(value, size, site))
    }

    /// A heap object, or null where allocations may fail.
    fn allocate_on_heap(&mut self, size: Operand, zeroed: bool, align: u64, site: &CallSite<'_>) -> Lowered<Value> {
        let failing = self.null_result();
        let pointer = self.or_fails(&failing, site.span, |this| {
            Ok(this.allocate(size, zeroed, align, AllocationKind::Heap, site).operand)
        })?;
        Ok(self.pointer_result(pointer, site))
    }

    fn null_result(&self) -> Failing {
        let enabled = self.link.options.failures.allocation;
        Failing { enabled, ty: Type::Pointer, result: Operand::Null, errno: Some(ENOMEM) }
    }

    /// An object of no bytes may be null.
    fn perhaps_null(&mut self, value: Value, size: Operand, site: &CallSite<'_>) -> Value {
        if size != self.size_operand(0) {
            return value;
        }
        let pointer = self.f.builder.pin(value.operand);
        let choice = self.prelude_value("__gordian_choice", Vec::new(), site);
        let zero = Operand::int(32, 0);
        let test = Rvalue::Binary { op: BinaryOp::Eq, ty: Type::Int(32), left: choice, right: zero, signed: false };
        let is_object = self.compute(test, Type::BOOL, site.span);
        let operand = self.choose(is_object, Type::Pointer, pointer, Operand::Null, site.span);
        Value::scalar(operand, value.ty)
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
        let total = self.multiply_sizes(count, size, site.span);
        let align = self.max_align();
        self.allocate_on_heap(total, true, align, site)
    }

    pub fn realloc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let address = self.pointer_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        let failing = self.null_result();
        let pointer = self.or_fails(&failing, site.span, |this| {
            let target = this.f.builder.temporary(Type::Pointer);
            this.emit(InstructionKind::Reallocate { target, address, size }, site.span);
            Ok(Operand::Register(target))
        })?;
        Ok(self.pointer_result(pointer, site))
    }

    pub fn aligned_alloc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let align = self.size_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
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
        let align = self.known_alignment(align);
        let enabled = self.link.options.failures.allocation;
        let result = Operand::int(32, u64::from(ENOMEM));
        let failing = Failing { enabled, ty: Type::Int(32), result, errno: None };
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
        let end = self.compute(Rvalue::PointerAdd { pointer: target, offset: size }, Type::Pointer, site.span);
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
