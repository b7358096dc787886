//! What the translation units of a program share: types, shapes, globals, functions, and names with external linkage.

use std::rc::Rc;

use base::ids::IdVec;
use base::{Diagnostic, Span};
use program::unknown_pointers::UNKNOWN_OBJECT;
use program::{Function, FunctionId, Global, GlobalId, Initialiser, Shape, ShapeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compile::CompileOptions;
use crate::ctype::{ArrayLength, CType, QualType, TypeId, TypeTable};
use crate::effects::FunctionEffects;
use crate::emit::value::{Lowered, Reported};
use crate::inline_definitions::InlineDefinitions;
use crate::invariant_candidates::InvariantSite;
use crate::leaves::{Unclear, visible_leaves};
use crate::parser::MAX_ERRORS;
use crate::process_end::Ends;
use crate::sync_types::SyncTypes;
use crate::undefined_objects::STANDARD_STREAMS;
use crate::weak_symbols::WeakSymbols;

pub struct GlobalSlot {
    pub name: String,
    pub ty: QualType,
    pub align: u64,
    pub initial: Option<Initialiser>,
    /// An `extern` declaration alone does not define the object; a tentative definition does.
    pub defined: bool,
    pub thread_local: bool,
    pub read_only: bool,
    /// Not the user's: nobody is warned about it.
    pub library: bool,
    /// Its address is null if nothing defines it.
    pub weak: bool,
    /// It is weak and nothing defines it.
    pub absent: bool,
    /// What about its declaration is not supported.
    pub unsupported: Option<String>,
    pub span: Span,
}

pub struct FunctionSlot {
    pub name: String,
    pub ty: TypeId,
    /// Some translation unit has a body for it.
    pub defined: bool,
    pub body: Option<Function>,
    pub noreturn: bool,
    /// Its address is null if nothing defines it.
    pub weak: bool,
    /// The body is an inline definition, which one of another unit replaces.
    pub replaceable: bool,
    /// The `n` of parameters that are declared as `a[static n]`.
    pub least_elements: Vec<Option<u64>>,
    /// It is weak and nothing defines it.
    pub absent: bool,
    /// What about its declaration is not supported.
    pub unsupported: Option<String>,
    pub span: Span,
}

pub struct Linker<'o> {
    pub options: &'o CompileOptions,
    pub types: TypeTable,
    pub shapes: IdVec<ShapeId, Shape>,
    shape_ids: FxHashMap<Shape, ShapeId>,
    shape_of_type: FxHashMap<TypeId, ShapeId>,
    pub globals: IdVec<GlobalId, GlobalSlot>,
    pub functions: IdVec<FunctionId, FunctionSlot>,
    external_globals: FxHashMap<String, GlobalId>,
    external_functions: FxHashMap<String, FunctionId>,
    strings: FxHashMap<(Vec<u8>, TypeId), GlobalId>,
    pub diagnostics: Vec<Diagnostic>,
    /// What a verdict about the program rests on: stubs that were used.
    pub assumptions: Vec<String>,
    /// Up to where inputs are considered, in words: with one of these, nothing is proved beyond it.
    pub input_bounds: Vec<String>,
    /// For each object that is made for a parameter, the function that is started.
    pub parameter_objects: Vec<String>,
    /// What pointers of which nothing is known point to.
    unknown_object: Option<GlobalId>,
    /// How the program declares synchronisation objects.
    pub sync_types: SyncTypes,
    /// Weak symbols that nothing defines.
    pub weak: WeakSymbols,
    /// Functions of which it is not known which definition is called.
    pub inline_definitions: InlineDefinitions,
    /// What is not supported and may concern any part of the program.
    pub unsupported_anywhere: Option<(String, Span)>,
    /// `pthread_exit` may have to call `cleanup` functions.
    pub unwinds: bool,
    /// Somebody frees memory.
    pub frees_memory: bool,
    /// What functions do, if that is known already: see [`crate::effects`].
    pub effects: Option<Rc<FunctionEffects>>,
    /// Operands were met whose order may matter, depending on what functions do.
    pub order_may_matter: bool,
    /// Functions that access volatile objects.
    pub volatile_functions: FxHashSet<String>,
    /// Functions of the prelude that are referred to and not lowered yet.
    pub prelude_queue: Vec<FunctionId>,
    /// Functions to call before the entry point, and after it, with their priorities.
    pub constructors: Vec<(i64, FunctionId)>,
    pub destructors: Vec<(i64, FunctionId)>,
    /// What must be done at the end of the process.
    pub ends: Ends,
    /// What stands for the address of an intrinsic that the program defines.
    pub intrinsic_addresses: FxHashMap<FunctionId, FunctionId>,
    /// Somebody may come back to a `setjmp`.
    pub uses_longjmp: bool,
    /// Whether threads may have something to clean up when they end early.
    pub uses_clean_ups: bool,
    /// A thread may end inside of a routine that `pthread_once` calls.
    pub may_leave_once: bool,
    /// Threads are created as in C11, with results that are integers.
    pub runs_c11_threads: bool,
    /// Somebody creates keys of thread-specific data, so that every thread must run destructors at its end.
    pub uses_keys: bool,
    /// The program looks at `errno`, so that failures whose result is ignored matter.
    pub uses_errno: bool,
    /// The program assigns to `stdin`, `stdout` or `stderr`, or takes their addresses.
    pub replaces_streams: bool,
    /// The program looks at the state of streams, so that failures whose result is ignored matter.
    pub uses_stream_state: bool,
    /// The program asks whether a stream is at its end.
    pub uses_end_indicator: bool,
    /// The program uses streams without their locks.
    pub uses_unlocked_streams: bool,
    /// The program may change its locale.
    pub uses_locale: bool,
    /// The program asks threads for their numbers in the system.
    pub uses_thread_numbers: bool,
    /// Where the number of the process stands, if threads have numbers.
    pub process_number: Option<GlobalId>,
    /// Values of the environment that are chosen once, before the program starts.
    pub stable_values: Vec<StableValue>,
    /// Variables of the environment that the program names, each with the pointer to its value.
    pub environment: Vec<(String, GlobalId)>,
    /// Places of the unit at hand where invariants can be told, if that is asked for.
    pub invariant_sites: Vec<InvariantSite>,
}

/// A value that the environment decides once for the whole process.
pub struct StableValue {
    /// What a report calls it: the call that returns it.
    pub name: String,
    /// An integer of 64 bits.
    pub global: GlobalId,
    pub range: library::NumberRange,
    /// The function of the prelude that finds out the value in a native run, if there is one, and its argument.
    pub question: (String, Option<i64>),
}

impl<'o> Linker<'o> {
    pub fn new(options: &'o CompileOptions) -> Self {
        Self {
            options,
            types: TypeTable::new(options.data_model),
            shapes: IdVec::new(),
            shape_ids: FxHashMap::default(),
            shape_of_type: FxHashMap::default(),
            globals: IdVec::new(),
            functions: IdVec::new(),
            external_globals: FxHashMap::default(),
            external_functions: FxHashMap::default(),
            strings: FxHashMap::default(),
            diagnostics: Vec::new(),
            assumptions: Vec::new(),
            input_bounds: Vec::new(),
            parameter_objects: Vec::new(),
            unknown_object: None,
            sync_types: SyncTypes::default(),
            weak: WeakSymbols::default(),
            inline_definitions: InlineDefinitions::default(),
            unsupported_anywhere: None,
            unwinds: false,
            frees_memory: false,
            effects: None,
            order_may_matter: false,
            volatile_functions: FxHashSet::default(),
            prelude_queue: Vec::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            ends: Ends::default(),
            intrinsic_addresses: FxHashMap::default(),
            uses_longjmp: false,
            uses_clean_ups: false,
            may_leave_once: false,
            runs_c11_threads: false,
            uses_keys: false,
            uses_errno: false,
            replaces_streams: false,
            uses_stream_state: false,
            uses_end_indicator: false,
            uses_unlocked_streams: false,
            uses_locale: false,
            uses_thread_numbers: false,
            process_number: None,
            stable_values: Vec::new(),
            environment: Vec::new(),
            invariant_sites: Vec::new(),
        }
    }

    /// Records a mistake in the program.
    pub fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.say(Diagnostic::error(code, message).at(span));
        Err(Reported)
    }

    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.say(Diagnostic::warning(code, message).at(span));
    }

    /// Whether the prelude has a model of the function; it will be lowered.
    pub fn needs_prelude(&mut self, function: FunctionId) -> bool {
        let slot = &self.functions[function];
        if slot.defined || !crate::prelude::defines(&slot.name) {
            return false;
        }
        if crate::prelude::is_approximate(&slot.name) {
            let text = "`pow`, `sin` and similar functions are rounded as on this machine; other libraries may differ in the last digits";
            self.assume(text.to_owned());
        }
        if self.functions[function].name == "qsort" {
            self.assume("qsort() compares elements in the order of an insertion sort".to_owned());
        }
        let slot = &self.functions[function];
        if slot.body.is_none() && !self.prelude_queue.contains(&function) {
            self.prelude_queue.push(function);
        }
        true
    }

    /// The result type of a function.
    pub fn result_of(&self, function: FunctionId) -> TypeId {
        let signature = self.types.function(self.functions[function].ty);
        signature.map_or(TypeTable::VOID, |signature| signature.result.ty)
    }

    /// The contents of an object that is constant and defined.
    pub fn constant_object(&self, global: GlobalId) -> Option<&Initialiser> {
        let slot = &self.globals[global];
        let is_constant = slot.read_only || self.types.is_constant(slot.ty);
        slot.initial.as_ref().filter(|_| is_constant && slot.defined)
    }

    /// One mistake in a macro or a shared specifier is met several times, and after [`MAX_ERRORS`] nobody reads on.
    fn say(&mut self, diagnostic: Diagnostic) {
        let known = &mut self.diagnostics;
        let alike = known.iter().filter(|other| other.is_error() == diagnostic.is_error()).count();
        if alike < MAX_ERRORS && !known.contains(&diagnostic) {
            known.push(diagnostic);
        }
    }

    /// Whether there is something to do at the end of every thread.
    pub fn acts_at_thread_ends(&self) -> bool {
        self.uses_keys || self.uses_thread_numbers || self.ends.counts_threads()
    }

    pub fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    /// Inputs are considered only up to this bound.
    pub fn bound(&mut self, text: String) {
        if !self.input_bounds.contains(&text) {
            self.input_bounds.push(text);
        }
    }

    pub fn add_global(&mut self, name: &str, ty: QualType, span: Span) -> GlobalId {
        let align = self.types.align_of(ty.ty);
        self.globals.push(GlobalSlot {
            name: name.to_owned(),
            ty,
            align,
            initial: None,
            defined: false,
            thread_local: false,
            read_only: false,
            library: false,
            weak: false,
            absent: false,
            unsupported: None,
            span,
        })
    }

    /// The global of that name with external linkage.
    pub fn external_global(&mut self, name: &str, ty: QualType, span: Span) -> GlobalId {
        if let Some(&global) = self.external_globals.get(name) {
            return global;
        }
        let global = self.add_global(name, ty, span);
        self.globals[global].absent = self.weak.is_absent(name);
        self.external_globals.insert(name.to_owned(), global);
        global
    }

    /// Objects that the program only declares are those of the prelude: pairs of a name there and one in the prelude.
    pub fn adopt<const N: usize>(&mut self, pairs: [(&str, &str); N]) {
        for (name, prelude_name) in pairs {
            let declared = self.external_globals.get(name).copied();
            if let Some(global) = declared.filter(|&global| !self.globals[global].defined) {
                self.external_globals.insert(prelude_name.to_owned(), global);
            }
        }
    }

    pub fn add_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        self.functions.push(FunctionSlot {
            name: name.to_owned(),
            ty,
            defined: false,
            body: None,
            noreturn: false,
            weak: false,
            replaceable: false,
            least_elements: Vec::new(),
            absent: false,
            unsupported: None,
            span,
        })
    }

    /// Something about a declaration of the function is not supported.
    pub fn note_unsupported_function(&mut self, function: FunctionId, what: Option<String>) {
        let slot = &mut self.functions[function];
        slot.unsupported = slot.unsupported.take().or(what);
    }

    /// A further declaration may tell more of a function's type; `false` if it contradicts what is known.
    pub fn merge_function_type(&mut self, function: FunctionId, ty: TypeId) -> bool {
        let known = self.functions[function].ty;
        let Some(old) = self.types.function(known) else {
            self.functions[function].ty = ty;
            return true;
        };
        let Some(new) = self.types.function(ty) else { return true };
        if new.prototype && !old.prototype && self.functions[function].body.is_none() {
            self.functions[function].ty = ty;
            return true;
        }
        self.types.compatible(known, ty)
    }

    /// A global that was announced without a type has that of its first declaration.
    pub fn take_global_type(&mut self, global: GlobalId, ty: QualType) {
        if self.types.is_void(self.globals[global].ty.ty) {
            self.globals[global].ty = ty;
            self.merge_global_type(global, ty);
        }
    }

    /// `extern int a[];` is completed by `int a[3];`.
    pub fn merge_global_type(&mut self, global: GlobalId, ty: QualType) {
        let known = self.globals[global].ty;
        if self.types.size_of(known.ty).is_none() && self.types.size_of(ty.ty).is_some() {
            self.globals[global].ty = ty;
        }
        let align = self.types.align_of(ty.ty);
        let slot = &mut self.globals[global];
        slot.align = slot.align.max(align);
    }

    /// The function of that name with external linkage.
    pub fn external_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        if let Some(&function) = self.external_functions.get(name) {
            return function;
        }
        let function = self.add_function(name, ty, span);
        self.functions[function].absent = self.weak.is_absent(name);
        self.external_functions.insert(name.to_owned(), function);
        function
    }

    /// Another name for a function; `false` if the name stands for something else already.
    pub fn alias_function(&mut self, name: &str, target: FunctionId) -> bool {
        *self.external_functions.entry(name.to_owned()).or_insert(target) == target
    }

    /// Another name for a global; `false` if the name stands for something else already.
    pub fn alias_global(&mut self, name: &str, target: GlobalId) -> bool {
        *self.external_globals.entry(name.to_owned()).or_insert(target) == target
    }

    /// Asked when all units are lowered.
    pub fn why_global_is_unsupported(&self, id: GlobalId) -> Option<String> {
        let slot = &self.globals[id];
        let size_is_unknown = self.types.size_of(slot.ty.ty).is_none() && slot.initial.is_none();
        match slot {
            GlobalSlot { unsupported: Some(what), .. } => Some(format!("`{}` with {what}", slot.name)),
            GlobalSlot { absent: true, .. } => None,
            GlobalSlot { weak: true, defined: false, .. } => {
                Some(format!("`{}`, which is weak and not defined", slot.name))
            }
            GlobalSlot { defined: false, .. } if size_is_unknown => {
                Some(format!("`{}`, which is not defined and of unknown size", slot.name))
            }
            GlobalSlot { defined: false, thread_local: true, .. } => {
                Some(format!("`{}`, which is thread-local and not defined", slot.name))
            }
            GlobalSlot { defined: false, library: false, name, .. } if !STANDARD_STREAMS.contains(&name.as_str()) => {
                match visible_leaves(&self.types, slot.ty.ty) {
                    Err(Unclear) => Some(format!("pointers in `{}`, which is not defined", slot.name)),
                    Ok(found) if !found.is_empty() && self.has_constants(slot.ty) => {
                        Some(format!("the constant `{}`, which is not defined", slot.name))
                    }
                    Ok(_) => None,
                }
            }
            _ => None,
        }
    }

    fn has_constants(&self, ty: QualType) -> bool {
        self.types.is_constant(ty) || !self.types.constant_parts(ty).is_empty()
    }

    /// Asked before the bodies are taken away.
    pub fn why_function_is_unsupported(&self, id: FunctionId) -> Option<String> {
        let slot = &self.functions[id];
        match slot {
            FunctionSlot { unsupported: Some(what), .. } => Some(format!("`{}` with {what}", slot.name)),
            FunctionSlot { weak: true, defined: false, .. } if !self.has_model(id) => {
                Some(format!("`{}`, which is weak and not defined", slot.name))
            }
            _ => None,
        }
    }

    fn has_model(&self, id: FunctionId) -> bool {
        crate::prelude::defines(&self.functions[id].name)
    }

    pub fn find_external_function(&self, name: &str) -> Option<FunctionId> {
        self.external_functions.get(name).copied()
    }

    /// The program's function of the name that has a body and external linkage, or else all static ones of the name.
    pub fn functions_named(&self, name: &str) -> Vec<FunctionId> {
        let has_body = |id: &FunctionId| self.functions[*id].body.as_ref().is_some_and(|body| !body.built_in);
        match self.find_external_function(name).filter(has_body) {
            Some(function) => vec![function],
            None => self.functions.ids().filter(|id| self.functions[*id].name == name && has_body(id)).collect(),
        }
    }

    /// A function that only the prelude knows.
    pub fn prelude_function(&mut self, name: &str) -> FunctionId {
        self.external_function(name, TypeTable::VOID, Span::UNKNOWN)
    }

    /// The object behind state of the library that it does not protect from other threads.
    pub fn hidden_state(&mut self, name: &str) -> GlobalId {
        let global = self.external_global(name, QualType::plain(TypeTable::CHAR), Span::UNKNOWN);
        let slot = &mut self.globals[global];
        slot.defined = true;
        slot.library = true;
        global
    }

    /// What `getpid` returns.
    pub fn process_number(&mut self) -> GlobalId {
        let range = library::NumberRange { low: 1, high: 1 << 22 };
        let global = self.stable_value("getpid", None, range);
        self.process_number = Some(global);
        global
    }

    /// The value that `name(argument)` returns whenever it is called.
    pub fn stable_value(&mut self, name: &str, argument: Option<i64>, range: library::NumberRange) -> GlobalId {
        let shown = format!("{name}({})", argument.map_or(String::new(), |argument| argument.to_string()));
        if let Some(known) = self.stable_values.iter().find(|value| value.name == shown) {
            return known.global;
        }
        let global = self.add_global(&shown, QualType::plain(TypeTable::LONG_LONG), Span::UNKNOWN);
        let slot = &mut self.globals[global];
        slot.defined = true;
        slot.library = true;
        let question = (format!("__gordian_ask_{name}"), argument);
        self.stable_values.push(StableValue { name: shown, global, range, question });
        global
    }

    /// The pointer to the value of a variable of the environment.
    pub fn environment_variable(&mut self, name: &str) -> GlobalId {
        if let Some(&(_, global)) = self.environment.iter().find(|(known, _)| known == name) {
            return global;
        }
        let shown = format!("getenv({name:?})");
        let global = self.add_global(&shown, QualType::plain(TypeTable::CHAR_POINTER), Span::UNKNOWN);
        let slot = &mut self.globals[global];
        slot.defined = true;
        slot.library = true;
        self.environment.push((name.to_owned(), global));
        global
    }

    /// What pointers of which nothing is known point to, unless they are null.
    pub fn unknown_object(&mut self) -> GlobalId {
        if let Some(global) = self.unknown_object {
            return global;
        }
        let global = self.add_global(UNKNOWN_OBJECT, QualType::plain(TypeTable::CHAR), Span::UNKNOWN);
        let slot = &mut self.globals[global];
        slot.defined = true;
        slot.library = true;
        self.unknown_object = Some(global);
        global
    }

    /// The thread-local object behind `errno`.
    pub fn errno(&mut self) -> GlobalId {
        let global = self.external_global("errno", QualType::plain(TypeTable::INT), Span::UNKNOWN);
        let slot = &mut self.globals[global];
        slot.thread_local = true;
        slot.defined = true;
        global
    }

    /// A read-only object with the given contents, one for all that ask for the same.
    pub fn string(&mut self, bytes: Vec<u8>, ty: TypeId, span: Span) -> GlobalId {
        if let Some(&global) = self.strings.get(&(bytes.clone(), ty)) {
            return global;
        }
        let global = self.literal(bytes.clone(), ty, span);
        self.strings.insert((bytes, ty), global);
        global
    }

    /// The object of a string literal, one for each that is written: whether equal ones are one object is not known.
    pub fn literal(&mut self, bytes: Vec<u8>, ty: TypeId, span: Span) -> GlobalId {
        let name =
            format!("\"{}\"", String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(&bytes)).escape_debug());
        let global = self.add_global(&name, QualType::plain(ty), span);
        let slot = &mut self.globals[global];
        slot.initial = Some(Initialiser { bytes, ..Initialiser::default() });
        slot.defined = true;
        slot.read_only = true;
        global
    }

    pub fn shape_of(&mut self, ty: TypeId) -> ShapeId {
        if let Some(&shape) = self.shape_of_type.get(&ty) {
            return shape;
        }
        let shape = self.make_shape(ty);
        let complete = self.types.size_of(ty).is_some();
        let id = self.intern_shape(shape);
        if complete {
            self.shape_of_type.insert(ty, id);
        }
        id
    }

    /// Whether a function is called before or after the program's own.
    pub fn has_constructors_or_destructors(&self) -> bool {
        !self.constructors.is_empty() || !self.destructors.is_empty()
    }

    /// An array of elements of this type, of unknown length.
    pub fn shape_of_elements(&mut self, element: TypeId) -> Option<ShapeId> {
        let stride = self.types.size_of(element).filter(|&size| size > 1)?;
        let element = self.shape_of(element);
        Some(self.intern_shape(Shape::Array { element, stride, count: 0 }))
    }

    fn make_shape(&mut self, ty: TypeId) -> Shape {
        if let Some(scalar) = self.types.register_type(ty) {
            return Shape::Scalar(scalar);
        }
        match *self.types.kind(ty) {
            CType::Array { element, length: ArrayLength::Known(count) } => {
                let stride = self.types.size_of(element.ty).unwrap_or(1);
                Shape::Array { element: self.shape_of(element.ty), stride, count }
            }
            CType::Record(id) => {
                let record = &self.types.records[id];
                let name = record.name.clone();
                let Some(layout) = record.layout.clone() else { return Shape::Opaque };
                let field = |linker: &mut Self, member: crate::ctype::MemberLayout| {
                    let shape = match member.bits {
                        Some(bits) if bits.unit == 0 => linker.intern_shape(Shape::Opaque),
                        Some(bits) => linker.intern_shape(Shape::Scalar(program::Type::Int(bits.unit))),
                        None => linker.shape_of(member.ty.ty),
                    };
                    program::ShapeField { name: member.name, offset: member.offset, shape }
                };
                let fields = layout.members.into_iter().map(|member| field(self, member)).collect();
                Shape::Record { name, fields }
            }
            _ => Shape::Opaque,
        }
    }

    fn intern_shape(&mut self, shape: Shape) -> ShapeId {
        if let Some(&id) = self.shape_ids.get(&shape) {
            return id;
        }
        let id = self.shapes.push(shape.clone());
        self.shape_ids.insert(shape, id);
        id
    }

    /// The global as the IR has it. An object that nobody defines is indeterminate.
    pub fn finish_global(&mut self, id: GlobalId) -> Global {
        let constant = self.types.is_constant(self.globals[id].ty);
        let ty = self.globals[id].ty.ty;
        let shape = self.shape_of(ty);
        let declared = self.types.size_of(ty).unwrap_or_else(|| self.types.size_of_tentative(ty));
        let constant_parts = self.types.constant_parts(QualType::plain(ty));
        let slot = &mut self.globals[id];
        let mut initial = slot.initial.take().unwrap_or_default();
        initial.indeterminate = !slot.defined;
        // A flexible array member with an initialiser makes the object larger than its type.
        let size = declared.max(initial.bytes.len() as u64);
        let words = library::words_for(&slot.name).map(str::to_owned);
        Global {
            name: words.unwrap_or_else(|| slot.name.clone()),
            size,
            align: slot.align,
            shape,
            initial,
            thread_local: slot.thread_local,
            read_only: slot.read_only || constant,
            constant_parts,
            span: slot.span,
        }
    }
}
