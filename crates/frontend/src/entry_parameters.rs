//! The parameters of functions that are started without a caller (`--entry`, `--init`, `--thread`): inputs. Numbers have
//! any value, aggregates any contents, a pointer is null or leads to an object of its own, in which pointers are null.

use base::Span;
use program::{
    AllocationKind, BinaryOp, CastOp, ConstantParts, FunctionId, InstructionKind, Local, MemoryOrder, NondetKind,
    Operand, Rvalue, Type,
};

use crate::ctype::{ArrayLength, CType, QualType, TypeId, TypeTable};
use crate::link::Linker;
use crate::lower::builder::Builder;

/// Bytes of a string behind a parameter, with its terminating zero.
const STRING_SIZE: u64 = 8;
/// Bytes of what a `void *` leads to.
const NAMELESS_SIZE: u64 = 64;
/// Scalars of an object beyond this are not looked at one by one.
const MAX_LEAVES: usize = 4096;

/// Makes the arguments for one call.
pub struct Parameters<'a, 'o> {
    pub link: &'a mut Linker<'o>,
    pub builder: &'a mut Builder,
    /// The function that is started.
    pub name: &'a str,
}

/// A pointer inside of an object that is made for a parameter, or a part that nothing is known of.
enum Leaf {
    Pointer(u64),
    Unclear,
}

impl Parameters<'_, '_> {
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
        for parameter in &signature.parameters {
            let is_read = read.get(arguments.len()).copied().unwrap_or(true);
            arguments.push(self.argument(parameter.ty, is_read));
        }
        // What a variadic function is given is not known.
        for &ty in registers.iter().skip(arguments.len()) {
            self.unsupported("arguments of a variadic function");
            arguments.push(self.number(ty));
        }
        arguments.truncate(registers.len());
        arguments
    }

    fn argument(&mut self, ty: TypeId, is_read: bool) -> Operand {
        match *self.link.types.kind(ty) {
            _ if self.link.types.is_aggregate(ty) => {
                let address = self.object(ty, "(argument)");
                self.clear_pointers(address, ty);
                address
            }
            CType::Bool => self.truth_value(),
            CType::Pointer(_) if !is_read => Operand::Null,
            CType::Pointer(target) => self.pointer(target),
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

    fn unsupported(&mut self, what: &str) {
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

    /// Null, or the address of something new.
    fn pointer(&mut self, target: QualType) -> Operand {
        let nonnull = self.link.options.nonnull;
        let fresh = match *self.link.types.kind(target.ty) {
            CType::Function(_) => None,
            CType::Void if !nonnull => {
                self.link.bound(format!("null for the `void *` parameters of `{}`", self.name));
                return Operand::Null;
            }
            CType::Void => Some(self.nameless()),
            _ if target.ty == TypeTable::CHAR => Some(self.string()),
            _ => self.link.types.size_of(target.ty).filter(|&size| size > 0).map(|size| self.fresh(target.ty, size)),
        };
        let Some(fresh) = fresh else { return self.pointer_to_the_unknown(nonnull) };
        let text = format!(
            "pointer parameters of `{}` {} point to an object of their own, in which pointers are null",
            self.name,
            if nonnull { "are not null and" } else { "are null or" },
        );
        self.link.assume(text);
        if nonnull {
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

    /// A function, or an object of a type that is never completed: null or something unsupported.
    fn pointer_to_the_unknown(&mut self, nonnull: bool) -> Operand {
        let condition = match nonnull {
            true => Operand::TRUE,
            false => {
                let any = self.truth_value();
                let test = Rvalue::Binary {
                    op: BinaryOp::Ne,
                    ty: Type::Int(8),
                    left: any,
                    right: Operand::int(8, 0),
                    signed: false,
                };
                self.builder.compute(test, Type::BOOL, Span::UNKNOWN)
            }
        };
        let (unknown, join) = (self.builder.new_block(), self.builder.new_block());
        self.builder.branch(condition, unknown, join, Span::UNKNOWN);
        self.builder.switch_to(unknown);
        self.unsupported("a parameter that points to a function or to an object of unknown type");
        self.builder.goto(join, Span::UNKNOWN);
        self.builder.switch_to(join);
        Operand::Null
    }

    fn fresh(&mut self, ty: TypeId, size: u64) -> Operand {
        let align = self.link.types.align_of(ty);
        let address = self.allocate(size, align);
        self.clear_pointers(address, ty);
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

    fn string(&mut self) -> Operand {
        let address = self.allocate(STRING_SIZE, 1);
        self.link.bound(format!("strings of at most {} characters behind parameters", STRING_SIZE - 1));
        let last = self.at(address, STRING_SIZE - 1);
        self.store(last, Operand::int(8, 0), Type::Int(8));
        address
    }

    fn nameless(&mut self) -> Operand {
        self.link.bound(format!("{NAMELESS_SIZE} bytes behind the `void *` parameters of `{}`", self.name));
        self.allocate(NAMELESS_SIZE, 16)
    }

    fn at(&mut self, address: Operand, offset: u64) -> Operand {
        let offset = Operand::int(self.link.types.model.pointer_bits(), offset);
        self.builder.compute(Rvalue::PointerAdd { pointer: address, offset }, Type::Pointer, Span::UNKNOWN)
    }

    fn store(&mut self, address: Operand, value: Operand, ty: Type) {
        let order = MemoryOrder::NonAtomic;
        self.builder.emit(InstructionKind::Store { address, value, ty, order }, Span::UNKNOWN);
    }

    /// Pointers inside of a new object are null; the rest of its contents is indeterminate, that is, anything.
    fn clear_pointers(&mut self, address: Operand, ty: TypeId) {
        let mut leaves = Vec::new();
        self.leaves(ty, 0, &mut leaves);
        if leaves.len() > MAX_LEAVES || leaves.iter().any(|leaf| matches!(leaf, Leaf::Unclear)) {
            return self.unsupported("pointers inside of a parameter");
        }
        for leaf in leaves {
            let Leaf::Pointer(offset) = leaf else { continue };
            let place = self.at(address, offset);
            self.store(place, Operand::Null, Type::Pointer);
        }
    }

    fn leaves(&self, ty: TypeId, offset: u64, leaves: &mut Vec<Leaf>) {
        if leaves.len() > MAX_LEAVES {
            return;
        }
        match self.link.types.kind(ty) {
            CType::Pointer(_) | CType::VaList => leaves.push(Leaf::Pointer(offset)),
            CType::Array { element, length: ArrayLength::Known(count) } => {
                let mut first = Vec::new();
                self.leaves(element.ty, 0, &mut first);
                if first.is_empty() {
                    return;
                }
                let stride = self.link.types.size_of(element.ty).unwrap_or(0);
                for index in 0..(*count).min(MAX_LEAVES as u64 + 1) {
                    self.leaves(element.ty, offset + index * stride, leaves);
                }
            }
            CType::Record(id) => {
                let record = &self.link.types.records[*id];
                let mut inside = Vec::new();
                for member in record.layout.iter().flat_map(|layout| &layout.members) {
                    self.leaves(member.ty.ty, offset + member.offset, &mut inside);
                }
                // Null in one member of a union would be a number in another.
                match record.union && !inside.is_empty() {
                    true => leaves.push(Leaf::Unclear),
                    false => leaves.append(&mut inside),
                }
            }
            _ => {}
        }
    }
}

/// Whether the function looks at the parameter at all.
pub fn is_read(body: &program::Function, register: program::RegisterId) -> bool {
    let wanted = Operand::Register(register);
    body.blocks.iter().any(|block| {
        block.instructions.iter().any(|instruction| instruction.kind.operands().contains(&wanted))
            || block.terminator.kind.operand() == Some(wanted)
    })
}
