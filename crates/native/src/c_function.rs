//! One function as C: a label for each block, a variable for each register, an array of bytes for each memory object.
//! A visible instruction stands between `GR_ENTER` and `GR_LEAVE`, which are the scheduler's.

use std::fmt::Write;

use base::Files;
use program::instruction::{
    AllocationKind, Callee, InstructionKind, LibraryFunction, NondetKind, RmwOp, TerminatorKind,
};
use program::{
    BlockId, DataModel, Function, FunctionId, Location, Operand, Program, Property, RegisterId, Rvalue, SyncOp, Type,
    Visibility,
};

use crate::c_expression::{CScope, c_operand, c_type};
use crate::c_fault::faults;
use crate::outside::{native_effect, outside_name};
use crate::sites::Sites;

/// How C declares the function.
pub fn c_prototype(id: FunctionId, function: &Function) -> String {
    let parameter = |&register: &RegisterId| format!("{} {register}", c_type(function.registers[register].ty));
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("static GR_UNUSED {} {id}({parameters})", function.result.map_or("void", c_type))
}

/// The function that a thread of `id` begins in.
pub fn c_thread_start(id: FunctionId, function: &Function) -> String {
    let arguments: Vec<String> = function.parameters.iter().enumerate().map(|(index, _)| argument(index)).collect();
    let call = format!("{id}({})", arguments.join(", "));
    let body = match function.result {
        Some(Type::Int(_) | Type::Pointer) => format!("return (ptr){call};"),
        _ => format!("{call}; return 0;"),
    };
    format!("static GR_UNUSED ptr gr_start_{id}(ptr argument) {{ {body} }}\n")
}

fn argument(index: usize) -> String {
    if index == 0 { "argument".to_owned() } else { "0".to_owned() }
}

pub fn c_function(program: &Program, visibility: &Visibility, sites: &Sites, id: FunctionId, out: &mut String) {
    let function = &program.functions[id];
    let scope = CScope { function, model: program.data_model };
    FunctionText { program, visibility, sites, id, function, scope, out }.write();
}

struct FunctionText<'a> {
    program: &'a Program,
    visibility: &'a Visibility,
    sites: &'a Sites,
    id: FunctionId,
    function: &'a Function,
    scope: CScope<'a>,
    out: &'a mut String,
}

impl FunctionText<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str("    ");
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn write(&mut self) {
        let name: String = self.function.name.chars().filter(|&c| c.is_alphanumeric() || c == '_').collect();
        let _ = writeln!(self.out, "/* {name} */\n{}\n{{", c_prototype(self.id, self.function));
        for (register, declared) in self.function.registers.iter_enumerated() {
            if !self.function.parameters.contains(&register) {
                self.line(&format!("{} {register} = 0;", c_type(declared.ty)));
            }
        }
        for (local, declared) in self.function.locals.iter_enumerated() {
            let (size, align) = (declared.size.max(1), declared.align.max(1));
            self.line(&format!("u8 {local}[{size}] __attribute__((aligned({align})));"));
        }
        if let Some(effect) = native_effect(self.function) {
            self.line(&effect);
        }
        for block in self.function.blocks.ids() {
            self.block(block);
        }
        *self.out += "}\n";
    }

    fn block(&mut self, block: BlockId) {
        let _ = writeln!(self.out, "{block}:;");
        let body = &self.function.blocks[block];
        for (index, instruction) in body.instructions.iter().enumerate() {
            let location = Location { function: self.id, block, index: index as u32 };
            self.instruction(location, &instruction.kind);
        }
        let location = Location { function: self.id, block, index: body.instructions.len() as u32 };
        self.terminator(location, &body.terminator.kind);
    }

    fn site(&self, location: Location) -> u32 {
        self.sites.site(location).map_or(u32::MAX, |site| site.0)
    }

    /// The text as one step, if the instruction is visible. `touched` is address and size.
    fn step(&mut self, location: Location, touched: Option<(&str, &str)>, text: &str) {
        if !self.visibility.is_visible(location) {
            return self.line(text);
        }
        let site = self.site(location);
        let (address, size) = touched.unwrap_or(("0", "0"));
        self.line(&format!("GR_ENTER({site}, {address}, {size}); {text} GR_LEAVE({site});"));
    }

    fn instruction(&mut self, location: Location, kind: &InstructionKind) {
        let site = self.site(location);
        let value = c_operand;
        match kind {
            InstructionKind::Assign { target, value } => {
                self.watch(location, value);
                let value = self.scope.rvalue(value);
                self.line(&format!("{target} = {value};"));
            }
            InstructionKind::Load { target, address, ty, .. } => {
                let (address, name, size) = (value(*address), c_type(*ty), self.bytes(*ty));
                let text = format!("{target} = gr_load_{name}({address});");
                self.step(location, Some((&address, &size)), &text);
            }
            InstructionKind::Store { address, value: stored, ty, .. } => {
                let (address, name, size) = (value(*address), c_type(*ty), self.bytes(*ty));
                let text = format!("gr_store_{name}({address}, {});", value(*stored));
                self.step(location, Some((&address, &size)), &text);
            }
            InstructionKind::ReadModifyWrite { target, op, address, value: operand, ty, .. } => {
                self.update(location, *target, *op, *address, *operand, *ty);
            }
            InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, .. } => {
                let (address, size) = (value(*address), self.bytes(*ty));
                let text = self.compare_exchange((*old, *success), &address, *expected, *desired, *ty, *weak);
                self.step(location, Some((&address, &size)), &text);
            }
            InstructionKind::Nondet { target, ty, kind } => self.input(location, *target, *ty, *kind),
            InstructionKind::Assume { condition } => {
                self.line(&format!("if (gr_unlikely(!{})) gr_stop();", value(*condition)));
            }
            InstructionKind::Assert { condition, property, message } => {
                let text = c_string(&place(&self.program.files, self.program.span(location), message));
                let property = property_number(*property);
                let failed = format!("gr_violated({site}, {property}, {text})");
                self.line(&format!("if (gr_unlikely(!{})) {failed};", value(*condition)));
            }
            InstructionKind::Allocate { target, size, align, kind, .. } => {
                self.allocate(*target, *size, (*align).max(16), *kind);
            }
            InstructionKind::Free { address, .. } => {
                let address = value(*address);
                let size = format!("gr_heap_size({address})");
                self.step(location, Some((&address, &size)), &format!("gr_free({address});"));
            }
            InstructionKind::Reallocate { target, address, size } => {
                let text = format!("{target} = gr_reallocate({}, {});", value(*address), value(*size));
                self.step(location, None, &text);
            }
            InstructionKind::Begin { local } => {
                let (address, size) = (format!("(ptr){local}"), self.function.locals[*local].size.to_string());
                let text = format!(
                    "gr_forget({address}, {size}); GR_BEGIN_LIFE({address}, {size}); gr_new_object({address}, {size});"
                );
                self.step(location, Some((&address, &size)), &text);
            }
            InstructionKind::End { local } => {
                let (address, size) = (format!("(ptr){local}"), self.function.locals[*local].size.to_string());
                self.step(
                    location,
                    Some((&address, &size)),
                    &format!("gr_forget({address}, {size}); GR_END_LIFE({address}, {size});"),
                );
            }
            InstructionKind::CopyMemory { target, source, size, .. } => {
                let (target, source, size) = (value(*target), value(*source), value(*size));
                let text = format!("memmove((void *){target}, (void *){source}, {size}); GR_NOTE({source}, {size});");
                self.step(location, Some((&target, &size)), &text);
            }
            InstructionKind::SetMemory { target, byte, size } => {
                let (target, byte, size) = (value(*target), value(*byte), value(*size));
                self.step(location, Some((&target, &size)), &format!("memset((void *){target}, {byte}, {size});"));
            }
            InstructionKind::Call { target, callee, arguments } => self.call(*target, *callee, arguments),
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                let start = match function {
                    Callee::Direct(function) => format!("gr_start_{function}"),
                    Callee::Indirect(pointer) => format!("(ptr (*)(ptr)){}", value(*pointer)),
                };
                let (store, argument, detached) =
                    (store.map_or("0".to_owned(), value), value(*argument), value(*detached));
                self.line(&format!("{target} = gr_spawn({site}, {store}, {start}, {argument}, {detached});"));
            }
            InstructionKind::Join { target, error, thread } => {
                let error = error.map_or(String::new(), |error| format!("{error} = "));
                let thread = value(*thread);
                let text = match target {
                    Some(target) => format!("{error}gr_join({site}, {thread}, &{target});"),
                    None => format!("{{ ptr ignored; {error}gr_join({site}, {thread}, &ignored); }}"),
                };
                self.line(&text);
            }
            InstructionKind::Detach { error, thread } => {
                let error = error.map_or(String::new(), |error| format!("{error} = "));
                self.line(&format!("{error}gr_detach({site}, {});", value(*thread)));
            }
            InstructionKind::CurrentThread { target } => self.line(&format!("{target} = gr_id + 1;")),
            InstructionKind::AtomicBegin => self.line(&format!("gr_begin_section({site});")),
            InstructionKind::AtomicEnd => self.line("gr_end_section();"),
            InstructionKind::Sync { target, op, operands } => self.sync(location, *target, *op, operands),
            InstructionKind::Fence { .. } | InstructionKind::LeaveProcess => {}
            InstructionKind::Yield => self.line("gr_yield();"),
            InstructionKind::Library { target, function, arguments } => {
                self.library(location, *target, *function, arguments);
            }
            InstructionKind::Unsupported { what } => {
                let text = place(&self.program.files, self.program.span(location), what);
                self.line(&format!("gr_unsupported({});", c_string(&text)));
            }
        }
    }

    /// Where the interpreter has seen wrong arithmetic, it is looked for.
    fn watch(&mut self, location: Location, value: &Rvalue) {
        if !self.sites.watches(location) {
            return;
        }
        let site = self.site(location);
        for (property, condition) in faults(self.scope, value) {
            let text = c_string(&place(&self.program.files, self.program.span(location), &property.to_string()));
            let property = property_number(property);
            self.line(&format!("if (gr_unlikely({condition})) gr_violated({site}, {property}, {text});"));
        }
    }

    fn bytes(&self, ty: Type) -> String {
        ty.bytes(self.model()).to_string()
    }

    fn model(&self) -> DataModel {
        self.program.data_model
    }

    fn update(
        &mut self,
        location: Location,
        target: Option<RegisterId>,
        op: RmwOp,
        address: Operand,
        operand: Operand,
        ty: Type,
    ) {
        let (address, operand, name) = (c_operand(address), c_operand(operand), c_type(ty));
        let new = match op {
            RmwOp::Exchange => operand,
            RmwOp::Add => format!("old + {operand}"),
            RmwOp::Sub => format!("old - {operand}"),
            RmwOp::And => format!("old & {operand}"),
            RmwOp::Or => format!("old | {operand}"),
            RmwOp::Xor => format!("old ^ {operand}"),
            RmwOp::Nand => format!("~(old & {operand})"),
        };
        let keep = target.map_or(String::new(), |target| format!(" {target} = old;"));
        let text = format!("{{ {name} old = gr_load_{name}({address}); gr_store_{name}({address}, {new});{keep} }}");
        let size = self.bytes(ty);
        self.step(location, Some((&address, &size)), &text);
    }

    /// Natively a weak exchange fails only where a strong one does; the choice is recorded all the same.
    fn compare_exchange(
        &self,
        (old, success): (RegisterId, RegisterId),
        address: &str,
        expected: Operand,
        desired: Operand,
        ty: Type,
        weak: bool,
    ) -> String {
        let (expected, desired, name) = (c_operand(expected), c_operand(desired), c_type(ty));
        let fails = if weak { "equal && gr_choose_value(0)" } else { "0" };
        format!(
            "{{ {name} found = gr_load_{name}({address}), wanted = {expected}, next = {desired}; \
             int equal = found == wanted; if ({fails}) equal = 0; if (equal) gr_store_{name}({address}, next); \
             {old} = found; {success} = (u8)equal; }}"
        )
    }

    /// Who asks the world does so before the step: it may take long.
    fn input(&mut self, location: Location, target: RegisterId, ty: Type, kind: NondetKind) {
        let site = self.site(location);
        let (before, asked) = match (outside_name(self.function), kind) {
            (Some(name), _) => {
                let arguments: Vec<String> = self.function.parameters.iter().map(RegisterId::to_string).collect();
                (format!("GR_OUTSIDE(gr_outside_{name}({}))", arguments.join(", ")), "value")
            }
            (None, NondetKind::Indeterminate) => ("0".to_owned(), "value"),
            // Models of the environment: what nobody has asked for is zero.
            (None, NondetKind::Input) if self.function.built_in => {
                ("0".to_owned(), "(gr_has_answer() ? gr_take_answer() : value)")
            }
            (None, NondetKind::Input) => ("0".to_owned(), "(gr_has_answer() ? gr_take_answer() : gr_any_input())"),
        };
        let bits = match ty {
            Type::Int(1) => format!("({asked}) & 1"),
            Type::Int(_) => format!("(u64)({})({asked})", c_type(ty)),
            Type::Pointer => "0".to_owned(),
            Type::Float => format!("(u32)({asked})"),
            Type::Double => format!("({asked})"),
        };
        let result = match ty {
            Type::Float => "gr_float((u32)value)".to_owned(),
            Type::Double => "gr_double(value)".to_owned(),
            _ => format!("({})value", c_type(ty)),
        };
        self.line(&format!(
            "{{ u64 value = (u64){before}; GR_ENTER({site}, 0, 0); value = gr_choose_value({bits}); GR_LEAVE({site}); \
             {target} = {result}; }}"
        ));
    }

    fn allocate(&mut self, target: RegisterId, size: Operand, align: u64, kind: AllocationKind) {
        let size = c_operand(size);
        match kind {
            AllocationKind::Heap | AllocationKind::Library => {
                self.line(&format!("{target} = gr_allocate({size}, {align});"))
            }
            AllocationKind::Stack => self.line(&format!(
                "{{ u64 size = {size}; {target} = ((ptr)__builtin_alloca(size + {align}) + {}) & ~(ptr){}; \
                 gr_new_object({target}, size); }}",
                align - 1,
                align - 1
            )),
        }
    }

    fn call(&mut self, target: Option<RegisterId>, callee: Callee, arguments: &[Operand]) {
        let values: Vec<String> = arguments.iter().map(|&argument| c_operand(argument)).collect();
        let function = match callee {
            Callee::Direct(function) => function.to_string(),
            Callee::Indirect(pointer) => {
                let result = target.map_or("void", |target| c_type(self.function.registers[target].ty));
                let types: Vec<&str> = arguments.iter().map(|&argument| c_type(self.scope.type_of(argument))).collect();
                let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
                format!("(({result} (*)({types})){})", c_operand(pointer))
            }
        };
        let result = target.map_or(String::new(), |target| format!("{target} = "));
        self.line(&format!("{result}{function}({});", values.join(", ")));
    }

    fn sync(&mut self, location: Location, target: Option<RegisterId>, op: SyncOp, operands: &[Operand]) {
        let site = self.site(location);
        let values: Vec<String> = operands.iter().map(|&operand| format!("(u64){}", c_operand(operand))).collect();
        let (number, prompt, count) = (op as u32, sync::class(op).untimed as u32, values.len());
        let call = format!("gr_sync({site}, {number}, {prompt}, (u64[]){{{}}}, {count})", values.join(", "));
        let result = target.map_or(String::new(), |target| format!("{target} = "));
        self.line(&format!("{result}{call};"));
    }

    fn library(
        &mut self,
        location: Location,
        target: Option<RegisterId>,
        function: LibraryFunction,
        arguments: &[Operand],
    ) {
        let name = match function {
            // What is written elsewhere is written by the system's library.
            LibraryFunction::ReadPrinted => return self.step(location, None, ";"),
            LibraryFunction::Printf | LibraryFunction::Vprintf => "gr_printf",
            LibraryFunction::Snprintf => "gr_snprintf",
            LibraryFunction::Puts => "gr_puts",
            LibraryFunction::Putchar => "gr_putchar",
        };
        let values: Vec<String> = arguments.iter().map(|&argument| c_operand(argument)).collect();
        let result = target.map_or(String::new(), |target| format!("{target} = "));
        self.step(location, None, &format!("{result}{name}({});", values.join(", ")));
    }

    fn terminator(&mut self, location: Location, kind: &TerminatorKind) {
        let visible = self.visibility.is_visible(location);
        let site = self.site(location);
        match kind {
            TerminatorKind::Goto(target) => self.line(&format!("goto {target};")),
            TerminatorKind::Branch { condition, then, otherwise } => {
                self.line(&format!("if ({}) goto {then}; else goto {otherwise};", c_operand(*condition)));
            }
            TerminatorKind::Switch { value, cases, default, .. } => {
                let mut text = format!("switch ((u64){}) {{", c_operand(*value));
                for (case, target) in cases {
                    let _ = write!(text, " case 0x{case:x}ull: goto {target};");
                }
                self.line(&format!("{text} default: goto {default}; }}"));
            }
            TerminatorKind::Return(result) => {
                if visible {
                    self.step(location, None, "");
                }
                match result {
                    Some(result) => self.line(&format!("return {};", c_operand(*result))),
                    None => self.line("return;"),
                }
            }
            TerminatorKind::ThreadExit(result) => {
                if visible {
                    self.step(location, None, "");
                }
                self.line(&format!("gr_end_thread({}); pthread_exit(NULL);", c_operand(*result)));
            }
            TerminatorKind::ProcessExit { status, abnormal } => {
                let (status, abnormal) = (c_operand(*status), u8::from(*abnormal));
                self.line(&format!("gr_exit({site}, (int){status}, {abnormal}); __builtin_unreachable();"));
            }
            TerminatorKind::Unreachable => self.line("gr_unsupported(\"unreachable code was reached\");"),
        }
    }
}

/// Properties are numbered in the order of [`Property::ALL`].
pub fn property_number(property: Property) -> u32 {
    let position = Property::ALL.iter().position(|&other| other == property);
    position.expect("every property should be in the list of all") as u32
}

fn place(files: &Files, span: base::Span, message: &str) -> String {
    match files.get(span.file) {
        Some(file) => format!("{}:{}: {message}", file.path, span.line),
        None => message.to_owned(),
    }
}

/// A string literal.
fn c_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' | ..b' ' | 127.. => {
                let _ = write!(literal, "\\{byte:03o}");
            }
            _ => literal.push(byte as char),
        }
    }
    literal + "\""
}
