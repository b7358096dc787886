//! The parameters of functions that are started without a caller (`--entry`, `--init`, `--thread`): inputs. Numbers have
//! any value, aggregates any contents, a pointer is null or leads to an object of its own, in which pointers are null. That
//! they are, and that nothing else leads to these objects, are bounds of the answer.

use base::Span;
use program::{
    AllocationKind, BinaryOp, CastOp, ConstantParts, DataModel, FunctionId, GlobalId, InstructionKind, Local,
    MemoryOrder, NondetKind, Operand, RegisterId, Rvalue, Type,
};

use crate::ctype::{CType, QualType, TypeId, TypeTable};
use crate::emit::builder::FunctionBuilder;
use crate::leaves::{LeafKind, leaves};
use crate::link::Linker;
use crate::prelude;

/// Bytes of a string behind a parameter, with its terminating zero.
const STRING_SIZE: u64 = 8;
/// Bytes of what a `void *` leads to.
const NAMELESS_SIZE: u64 = 64;
/// Elements behind a parameter `a[static n]`.
const MAX_ELEMENTS: u64 = 1 << 16;
/// Pointers and truth values behind a parameter.
const MAX_VALUES: u64 = 4096;

/// Makes the arguments for one call.
pub struct EntryParameters<'a, 'o> {
    pub link: &'a mut Linker<'o>,
    pub builder: &'a mut FunctionBuilder,
    /// The function that is started.
    pub name: &'a str,
}

impl EntryParameters<'_, '_> {
    pub fn of(&mut self, function: FunctionId) -> Vec<Operand> {
        let Some(body) = self.link.functions[function].body.as_ref() else { return Vec::new() };
        let registers: Vec<Type> = body.parameters.iter().map(|&register| body.registers[register].ty).collect();
        let read: Vec<bool> = body.parameters.iter().map(|&register| is_read(body, register)).collect();
        let Some(signature) = self.link.types.function(self.link.functions[function].ty).cloned() else {
            return registers.iter().map(|&ty| self.number(ty)).collect();
        };
        let mut arguments = Vec::new();
        if self.link.types.is_aggregate(signature.result.ty) {
            arguments.push(self.object(signature.result.ty, "(result)"));
        }
        let least_elements = self.link.functions[function].least_elements.clone();
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let is_read = read.get(arguments.len()).copied().unwrap_or(true);
            let at_least = least_elements.get(index).copied().flatten();
            self.bound_elements(function, arguments.len(), parameter.ty, at_least);
            arguments.push(self.argument(parameter.ty, is_read, at_least));
        }
        // What a variadic function is given is not known.
        for &ty in registers.iter().skip(arguments.len()) {
            self.unsupported("arguments of a variadic function");
            arguments.push(self.number(ty));
        }
        arguments.truncate(registers.len());
        arguments
    }

    /// A pointer may lead into an array: whether there are more elements matters unless only the first is accessed.
    fn bound_elements(&mut self, function: FunctionId, index: usize, ty: TypeId, at_least: Option<u64>) {
        let CType::Pointer(target) = *self.link.types.kind(ty) else { return };
        let Some(size) = self.link.types.size_of(target.ty).filter(|_| target.ty != TypeTable::CHAR) else { return };
        let Some(body) = self.link.functions[function].body.as_ref() else { return };
        let size = size.saturating_mul(at_least.unwrap_or(1).max(1));
        let model = self.link.types.model;
        if body.parameters.get(index).is_some_and(|&parameter| !is_used_within(body, parameter, size, model)) {
            let what = match at_least {
                Some(count @ 2..) => format!("{count} elements"),
                _ => "single objects".to_owned(),
            };
            self.link.bound(format!("{what} behind the pointer parameters of `{}`", self.name));
        }
    }

    /// `at_least` is `n` for a parameter that is declared as `a[static n]`.
    fn argument(&mut self, ty: TypeId, is_read: bool, at_least: Option<u64>) -> Operand {
        match *self.link.types.kind(ty) {
            _ if self.link.types.is_aggregate(ty) => {
                let address = self.object(ty, "(argument)");
                self.limit_contents(address, ty, 1);
                address
            }
            CType::Bool => self.truth_value(),
            CType::Pointer(_) if !is_read => Operand::Null,
            CType::Pointer(target) => self.pointer(target, at_least),
            _ => match self.link.types.register_type(ty) {
                Some(register) => self.number(register),
                None => Operand::Null,
            },
        }
    }

    fn number(&mut self, ty: Type) -> Operand {
        let target = self.builder.pinned(ty);
        self.builder.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Input }, Span::UNKNOWN);
        Operand::Register(target)
    }

    fn truth_value(&mut self) -> Operand {
        let byte = Type::Int(8);
        let any = self.number(byte);
        let test = Rvalue::Binary { op: BinaryOp::Ne, ty: byte, left: any, right: Operand::int(8, 0), signed: false };
        let truth = self.builder.compute(test, Type::BOOL, Span::UNKNOWN);
        let wide = Rvalue::Cast { op: CastOp::ZeroExtend, from: Type::BOOL, to: byte, operand: truth };
        self.builder.compute(wide, byte, Span::UNKNOWN)
    }

    pub fn unsupported(&mut self, what: &str) {
        let what = format!("{what} of `{}`, which has no caller", self.name);
        self.builder.emit(InstructionKind::Unsupported { what }, Span::UNKNOWN);
    }

    /// A local of the entry function with any contents.
    fn object(&mut self, ty: TypeId, name: &str) -> Operand {
        let size = self.link.types.size_of(ty).unwrap_or(0);
        let (shape, align) = (self.link.shape_of(ty), self.link.types.align_of(ty));
        let (read_only, constant_parts) = (false, ConstantParts::default());
        let span = Span::UNKNOWN;
        let local = self.builder.locals.push(Local {
            name: name.to_owned(),
            size,
            align,
            shape,
            read_only,
            constant_parts,
            span,
        });
        self.builder.emit(InstructionKind::Begin { local }, span);
        Operand::Local { local, offset: 0 }
    }

    /// Null, or the address of something new. `[static n]` with `n > 0` excludes null.
    fn pointer(&mut self, target: QualType, at_least: Option<u64>) -> Operand {
        let nonnull = self.link.options.nonnull || at_least.is_some_and(|count| count > 0);
        let count = at_least.unwrap_or(1).max(1);
        if !(1..=MAX_ELEMENTS).contains(&count) {
            self.unsupported("a parameter that points to so many elements");
            return Operand::Null;
        }
        let fresh = match *self.link.types.kind(target.ty) {
            CType::Function(_) => None,
            CType::Void if !nonnull => {
                self.link.bound(format!("null for the `void *` parameters of `{}`", self.name));
                return Operand::Null;
            }
            CType::Void => Some(self.nameless()),
            _ if target.ty == TypeTable::CHAR => Some(self.string(count)),
            _ => {
                let size = self.link.types.size_of(target.ty).filter(|&size| size > 0);
                size.map(|size| self.fresh(target.ty, size, count))
            }
        };
        let Some(fresh) = fresh else { return self.pointer_to_the_unknown(nonnull) };
        self.link.parameter_objects.push(self.name.to_owned());
        if nonnull {
            let text = format!("pointer parameters of `{}` are not null", self.name);
            self.link.assume(text);
            return fresh;
        }
        self.choose(fresh)
    }

    /// Null or this address, by an input.
    fn choose(&mut self, address: Operand) -> Operand {
        let is_null = self.truth_value();
        let condition = Rvalue::Binary {
            op: BinaryOp::Ne,
            ty: Type::Int(8),
            left: is_null,
            right: Operand::int(8, 0),
            signed: false,
        };
        let condition = self.builder.compute(condition, Type::BOOL, Span::UNKNOWN);
        let select = Rvalue::Select { condition, ty: Type::Pointer, then: Operand::Null, otherwise: address };
        let chosen = self.builder.compute(select, Type::Pointer, Span::UNKNOWN);
        self.builder.pin(chosen)
    }

    /// A function, or an object of a type that is never completed: null or unknown.
    fn pointer_to_the_unknown(&mut self, nonnull: bool) -> Operand {
        let unknown = Operand::Global { global: self.link.unknown_object(), offset: 0 };
        if nonnull { unknown } else { self.choose(unknown) }
    }

    /// `count` objects in a row.
    fn fresh(&mut self, ty: TypeId, size: u64, count: u64) -> Operand {
        let align = self.link.types.align_of(ty);
        let address = self.allocate(size * count, align);
        self.limit_contents(address, ty, count);
        address
    }

    /// Memory that the function may free, if anything frees memory; else an object of the caller.
    fn allocate(&mut self, size: u64, align: u64) -> Operand {
        let target = self.builder.pinned(Type::Pointer);
        let size = Operand::int(self.link.types.model.pointer_bits(), size);
        let kind = if self.link.frees_memory { AllocationKind::Heap } else { AllocationKind::Stack };
        let kind = InstructionKind::Allocate { target, size, zeroed: false, align, kind, shape: None };
        self.builder.emit(kind, Span::UNKNOWN);
        Operand::Register(target)
    }

    fn string(&mut self, at_least: u64) -> Operand {
        let size = STRING_SIZE.max(at_least);
        let address = self.allocate(size, 1);
        self.link.bound(format!("strings of at most {} characters behind parameters", size - 1));
        let last = self.at(address, size - 1);
        self.store(last, Operand::int(8, 0), Type::Int(8));
        address
    }

    fn nameless(&mut self) -> Operand {
        self.link.bound(format!("{NAMELESS_SIZE} bytes behind the `void *` parameters of `{}`", self.name));
        self.allocate(NAMELESS_SIZE, 16)
    }

    fn at(&mut self, address: Operand, offset: u64) -> Operand {
        let offset = Operand::offset(offset as i64);
        self.builder.compute(Rvalue::PointerAdd { pointer: address, offset }, Type::Pointer, Span::UNKNOWN)
    }

    fn store(&mut self, address: Operand, value: Operand, ty: Type) {
        let order = MemoryOrder::NonAtomic;
        self.builder.emit(InstructionKind::Store { address, value, ty, order }, Span::UNKNOWN);
    }

    /// Pointers inside of `count` new objects in a row are null, truth values are 0 or 1; the rest of their contents is
    /// indeterminate, that is, anything.
    fn limit_contents(&mut self, address: Operand, ty: TypeId, count: u64) {
        let size = self.link.types.size_of(ty).unwrap_or(0);
        let Ok(leaves) = leaves(&self.link.types, ty) else {
            return self.unsupported("pointers inside of a parameter");
        };
        if leaves.len() as u64 * count > MAX_VALUES {
            return self.unsupported("pointers inside of a parameter");
        }
        if leaves.iter().any(|leaf| leaf.kind == LeafKind::Pointer) {
            self.link.bound(format!("null for the pointers inside of the parameters of `{}`", self.name));
        }
        for index in 0..count {
            for leaf in &leaves {
                let (value, ty) = match leaf.kind {
                    LeafKind::Pointer => (Operand::Null, Type::Pointer),
                    LeafKind::Truth => (self.truth_value(), Type::Int(8)),
                };
                let place = self.at(address, index * size + leaf.offset);
                self.store(place, value, ty);
            }
        }
    }
}

/// Objects that are made for parameters are objects of their own. Callers may give a function other ones, if there are any that
/// the program uses: that of another parameter, or a global.
pub fn bound_parameter_objects(link: &mut Linker<'_>, used: &[GlobalId]) {
    let names = std::mem::take(&mut link.parameter_objects);
    if names.len() < 2 && !used.iter().any(|&id| may_be_given(link, id)) {
        return;
    }
    for name in names {
        link.bound(format!("objects of their own behind the pointer parameters of `{name}`"));
    }
}

/// Whether a caller can have the address of the global, and its contents may change: it is the program's, whoever defines it, or
/// the library gives its address away.
fn may_be_given(link: &Linker<'_>, id: GlobalId) -> bool {
    let slot = &link.globals[id];
    let is_hidden = slot.library || prelude::is_private(&slot.name);
    !is_hidden && !slot.read_only && !link.types.is_constant(slot.ty)
}

/// Whether the function looks at the parameter at all.
pub fn is_read(body: &program::Function, register: RegisterId) -> bool {
    let wanted = Operand::Register(register);
    body.blocks.iter().any(|block| {
        block.instructions.iter().any(|instruction| instruction.kind.operands().contains(&wanted))
            || block.terminator.kind.operand() == Some(wanted)
    })
}

/// Whether the function only accesses the first `size` bytes behind the parameter, at constant distances, and gives the
/// pointer to nothing else.
fn is_used_within(body: &program::Function, parameter: RegisterId, size: u64, model: DataModel) -> bool {
    let mut aliases: Vec<(RegisterId, u64)> = vec![(parameter, 0)];
    let mut next = 0;
    while let Some(&(alias, offset)) = aliases.get(next) {
        next += 1;
        let operand = Operand::Register(alias);
        let returned = body.blocks.iter().any(|block| block.terminator.kind.operand() == Some(operand));
        if returned || aliases.iter().any(|&(other, distance)| other == alias && distance != offset) {
            return false;
        }
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            if !instruction.kind.operands().contains(&operand) {
                continue;
            }
            let reaches = |ty: Type| offset + ty.bytes(model) <= size;
            let is_inside = match instruction.kind {
                InstructionKind::Load { ty, .. } => reaches(ty),
                InstructionKind::Store { value, ty, .. } | InstructionKind::ReadModifyWrite { value, ty, .. } => {
                    value != operand && reaches(ty)
                }
                InstructionKind::Assign { target, value } => match value {
                    Rvalue::Binary { op, .. } => op.is_comparison(),
                    Rvalue::Use(_) => note_alias(&mut aliases, target, offset),
                    Rvalue::PointerAdd { offset: Operand::Int { value, .. }, .. } if value < size - offset => {
                        note_alias(&mut aliases, target, offset + value)
                    }
                    _ => false,
                },
                _ => false,
            };
            if !is_inside {
                return false;
            }
        }
    }
    true
}

fn note_alias(aliases: &mut Vec<(RegisterId, u64)>, register: RegisterId, offset: u64) -> bool {
    if !aliases.contains(&(register, offset)) {
        aliases.push((register, offset));
    }
    true
}
