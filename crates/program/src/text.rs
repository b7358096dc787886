//! The text form of a program: complete (all but the texts of the source files), one instruction per line, and read
//! back by `parse`. In the order printed:
//!
//! ```text
//! program lp64 entry f0
//! file file0 "a.c"
//! shape shape0 = scalar i32
//! global g0 "x" size 4 align 4 shape0 bytes 2a000000 @file0:1:5+1
//! function f0 "main" () -> i32 @file0:3:5+4 {
//!   register r0 i32 "i"
//!   local m0 "buffer" size 8 align 8 shape0
//! b0:
//!   r0 = load i32 [g0+4] plain @file0:4:7+1
//!   return r0
//! }
//! ```
//!
//! Integer constants are `value:type`, negative where the sign bit is set; truth values are `true` and `false`;
//! floating-point constants are their bits. A span is left out where no place is known. `#` begins a comment line.

use std::fmt::{self, Display, Formatter};

use base::Span;

use crate::constant_parts::ConstantParts;
use crate::instruction::{Block, Callee, Instruction, InstructionKind, Operand, Rvalue, TerminatorKind};
use crate::program_::{Function, FunctionId, Global, Program, RegisterId};
use crate::shape::Shape;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {} entry {}", self.data_model, self.entry)?;
        for bound in &self.input_bounds {
            writeln!(f, "input-bound {}", Quoted(bound))?;
        }
        for (kind, size) in self.own_sizes.clone().named() {
            if let Some(size) = size {
                writeln!(f, "own-size {kind} {size}")?;
            }
        }
        for (id, file) in self.files.iter() {
            writeln!(f, "file {id} {}", Quoted(&file.path))?;
        }
        for (id, shape) in self.shapes.iter_enumerated() {
            writeln!(f, "shape {id} = {shape}")?;
        }
        for (id, global) in self.globals.iter_enumerated() {
            writeln!(f, "global {id} {global}")?;
        }
        for (id, function) in self.functions.iter_enumerated() {
            write_function(f, id, function)?;
        }
        Ok(())
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Scalar(ty) => write!(f, "scalar {ty}"),
            Shape::Array { element, stride, count } => write!(f, "array {element} stride {stride} count {count}"),
            Shape::Record { name, fields } => {
                write!(f, "record {} {{", Quoted(name))?;
                for (index, field) in fields.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma} {} {} {}", Quoted(&field.name), field.offset, field.shape)?;
                }
                f.write_str(" }")
            }
            Shape::Opaque => f.write_str("opaque"),
        }
    }
}

impl Display for ConstantParts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, (offset, length)) in self.iter().enumerate() {
            let separator = if index == 0 { " constant {" } else { "," };
            write!(f, "{separator} {offset} {length}")?;
        }
        f.write_str(if self.is_empty() { "" } else { " }" })
    }
}

impl Display for Global {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} size {} align {} {}", Quoted(&self.name), self.size, self.align, self.shape)?;
        if !self.initial.bytes.is_empty() {
            f.write_str(" bytes ")?;
            self.initial.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        }
        if !self.initial.relocations.is_empty() {
            f.write_str(" addresses {")?;
            for (index, relocation) in self.initial.relocations.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(f, "{comma} {} {}", relocation.offset, relocation.value)?;
            }
            f.write_str(" }")?;
        }
        f.write_str(flag(self.initial.indeterminate, " indeterminate"))?;
        f.write_str(flag(self.thread_local, " thread-local"))?;
        f.write_str(flag(self.read_only, " read-only"))?;
        write!(f, "{}", self.constant_parts)?;
        SpanText(self.span).fmt(f)
    }
}

fn write_function(f: &mut Formatter<'_>, id: FunctionId, function: &Function) -> fmt::Result {
    write!(f, "function {id} {} ({})", Quoted(&function.name), Separated(&function.parameters))?;
    if let Some(result) = function.result {
        write!(f, " -> {result}")?;
    }
    f.write_str(flag(function.variadic, " variadic"))?;
    f.write_str(flag(function.built_in, " built-in"))?;
    writeln!(f, "{} {{", SpanText(function.span))?;
    for (id, register) in function.registers.iter_enumerated() {
        write!(f, "  register {id} {}", register.ty)?;
        if let Some(name) = &register.name {
            write!(f, " {}", Quoted(name))?;
        }
        writeln!(f)?;
    }
    for (id, local) in function.locals.iter_enumerated() {
        let name = Quoted(&local.name);
        let read_only = flag(local.read_only, " read-only");
        let (size, align, shape) = (local.size, local.align, local.shape);
        writeln!(
            f,
            "  local {id} {name} size {size} align {align} {shape}{read_only}{}{}",
            local.constant_parts,
            SpanText(local.span)
        )?;
    }
    for (id, block) in function.blocks.iter_enumerated() {
        writeln!(f, "{id}:")?;
        write!(f, "{block}")?;
    }
    writeln!(f, "}}")
}

impl Display for Block {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for instruction in &self.instructions {
            writeln!(f, "  {instruction}")?;
        }
        writeln!(f, "  {}{}", self.terminator.kind, SpanText(self.terminator.span))
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, SpanText(self.span))
    }
}

impl Display for InstructionKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            InstructionKind::Assign { target, value } => write!(f, "{target} = {value}"),
            InstructionKind::Load { target, address, ty, order } => {
                write!(f, "{target} = load {ty} [{address}] {order}")
            }
            InstructionKind::Store { address, value, ty, order } => {
                write!(f, "store {ty} [{address}], {value} {order}")
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, order } => {
                write!(f, "{}rmw {} {ty} [{address}], {value} {order}", ResultTarget(*target), op.name())
            }
            InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, order, failure } => {
                let weak = flag(*weak, "weak ");
                write!(f, "{old}, {success} = cmpxchg {weak}{ty} [{address}], {expected}, {desired} {order} {failure}")
            }
            InstructionKind::Fence { order } => write!(f, "fence {order}"),
            InstructionKind::Nondet { target, ty, kind } => write!(f, "{target} = nondet {ty} {}", kind.name()),
            InstructionKind::Assume { condition } => write!(f, "assume {condition}"),
            InstructionKind::Assert { condition, property, message } => {
                write!(f, "assert {condition} {property} {}", Quoted(message))
            }
            InstructionKind::Allocate { target, size, zeroed, align, kind, shape } => {
                let zeroed = flag(*zeroed, "zeroed ");
                write!(f, "{target} = allocate {} {zeroed}{size} align {align}", kind.name())?;
                shape.map_or(Ok(()), |shape| write!(f, " {shape}"))
            }
            InstructionKind::Free { address, kind } => write!(f, "free {} {address}", kind.name()),
            InstructionKind::Reallocate { target, address, size } => {
                write!(f, "{target} = reallocate {address}, {size}")
            }
            InstructionKind::Begin { local } => write!(f, "begin {local}"),
            InstructionKind::End { local } => write!(f, "end {local}"),
            InstructionKind::CopyMemory { target, source, size, overlap } => {
                write!(f, "copy [{target}], [{source}], {size}{}", flag(*overlap, " overlap"))
            }
            InstructionKind::SetMemory { target, byte, size } => write!(f, "set [{target}], {byte}, {size}"),
            InstructionKind::Call { target, callee, arguments } => {
                write!(f, "{}call {callee}({})", ResultTarget(*target), Separated(arguments))
            }
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                write!(f, "{target} = spawn {function}({argument}) detached {detached}")?;
                store.map_or(Ok(()), |address| write!(f, " store [{address}]"))
            }
            InstructionKind::Join { target, error, thread } => {
                write!(f, "{}join {thread}{}", ResultTarget(*target), ErrorTarget(*error))
            }
            InstructionKind::Detach { error, thread } => write!(f, "detach {thread}{}", ErrorTarget(*error)),
            InstructionKind::CurrentThread { target } => write!(f, "{target} = current-thread"),
            InstructionKind::LeaveProcess => f.write_str("leave-process"),
            InstructionKind::AtomicBegin => f.write_str("atomic-begin"),
            InstructionKind::AtomicEnd => f.write_str("atomic-end"),
            InstructionKind::Sync { target, op, operands } => {
                write!(f, "{}sync {}({})", ResultTarget(*target), op.name(), Separated(operands))
            }
            InstructionKind::Yield => f.write_str("yield"),
            InstructionKind::Library { target, function, arguments } => {
                write!(f, "{}library {}({})", ResultTarget(*target), function.name(), Separated(arguments))
            }
            InstructionKind::Unsupported { what } => write!(f, "unsupported {}", Quoted(what)),
        }
    }
}

impl Display for Rvalue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Rvalue::Use(operand) => operand.fmt(f),
            Rvalue::Unary { op, ty, operand, signed } => {
                write!(f, "{} {}{ty} {operand}", op.name(), flag(*signed, "signed "))
            }
            Rvalue::Binary { op, ty, left, right, signed } => {
                write!(f, "{} {}{ty} {left}, {right}", op.name(), flag(*signed, "signed "))
            }
            Rvalue::Cast { op, from, to, operand } => write!(f, "{} {from} {operand} to {to}", op.name()),
            Rvalue::PointerAdd { pointer, offset } => write!(f, "pointer-add {pointer}, {offset}"),
            Rvalue::PointerDifference { left, right } => write!(f, "pointer-difference {left}, {right}"),
            Rvalue::Select { condition, ty, then, otherwise } => {
                write!(f, "select {ty} {condition}, {then}, {otherwise}")
            }
        }
    }
}

impl Display for TerminatorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TerminatorKind::Goto(target) => write!(f, "goto {target}"),
            TerminatorKind::Branch { condition, then, otherwise } => {
                write!(f, "branch {condition}, {then}, {otherwise}")
            }
            TerminatorKind::Switch { value, ty, cases, default } => {
                write!(f, "switch {ty} {value} {{")?;
                for (index, (case, block)) in cases.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma} {case} {block}")?;
                }
                write!(f, " }} default {default}")
            }
            TerminatorKind::Return(None) => f.write_str("return"),
            TerminatorKind::Return(Some(value)) => write!(f, "return {value}"),
            TerminatorKind::ThreadExit(value) => write!(f, "thread-exit {value}"),
            TerminatorKind::ProcessExit { status, abnormal } => {
                write!(f, "process-exit {status}{}", flag(*abnormal, " abnormal"))
            }
            TerminatorKind::Unreachable => f.write_str("unreachable"),
        }
    }
}

impl Display for Callee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Direct(function) => function.fmt(f),
            Callee::Indirect(pointer) => write!(f, "*{pointer}"),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Operand::Register(register) => register.fmt(f),
            Operand::TRUE => f.write_str("true"),
            Operand::FALSE => f.write_str("false"),
            Operand::Int { bits, value } => match as_negative(bits, value) {
                Some(negative) => write!(f, "{negative}:i{bits}"),
                None => write!(f, "{value}:i{bits}"),
            },
            Operand::Float(bits) => write!(f, "{bits:#x}:f32"),
            Operand::Double(bits) => write!(f, "{bits:#x}:f64"),
            Operand::Null => f.write_str("null"),
            Operand::Global { global, offset } => write!(f, "{global}{}", Offset(offset)),
            Operand::Local { local, offset } => write!(f, "{local}{}", Offset(offset)),
            Operand::Function(function) => function.fmt(f),
        }
    }
}

/// The value as a signed number if its sign bit is the highest bit that is set.
fn as_negative(bits: u8, value: u64) -> Option<i64> {
    let shift = 64u32.checked_sub(u32::from(bits)).filter(|&shift| shift < 63)?;
    let signed = ((value << shift) as i64) >> shift;
    (signed < 0 && value.leading_zeros() == shift).then_some(signed)
}

fn flag(set: bool, word: &'static str) -> &'static str {
    if set { word } else { "" }
}

struct Offset(i64);

impl Display for Offset {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { Ok(()) } else { write!(f, "{:+}", self.0) }
    }
}

struct ResultTarget(Option<RegisterId>);

impl Display for ResultTarget {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |target| write!(f, "{target} = "))
    }
}

struct ErrorTarget(Option<RegisterId>);

impl Display for ErrorTarget {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |target| write!(f, " error {target}"))
    }
}

/// A span as ` @file0:line:column+length`, or nothing where no place is known.
struct SpanText(Span);

impl Display for SpanText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Span { file, line, column, length } = self.0;
        if self.0 == Span::UNKNOWN { Ok(()) } else { write!(f, " @{file}:{line}:{column}+{length}") }
    }
}

struct Separated<'a, T>(&'a [T]);

impl<T: Display> Display for Separated<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                _ if character.is_control() => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                _ => write!(f, "{character}")?,
            }
        }
        f.write_str("\"")
    }
}
