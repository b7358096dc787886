//! What each function of a program does.

use base::ids::{Id, IdVec};
use program::{Callee, DataModel, Function, FunctionId, GlobalId, InstructionKind, Operand, Program, TerminatorKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instructions::{Scene, of_instruction, of_terminator};
use super::roots::{Root, Roots};
use super::termination::{may_loop_for_ever, returning};
use super::{AccessedMemory, EvaluationConflict, EvaluationEffects, Name};
use crate::library::treatment;

pub struct FunctionEffects {
    /// Functions of one name are taken for one.
    functions: FxHashMap<String, EvaluationEffects>,
    /// What a call through a pointer may do.
    indirect: EvaluationEffects,
    globals: FxHashMap<Name, GlobalFacts>,
    /// Names of functions and of objects in them that pointers may lead to.
    local_targets: FxHashSet<(String, String)>,
    /// Whether there may be more than one thread.
    has_threads: bool,
    /// There are accesses without a call by which threads may notice each other.
    has_watched_accesses: bool,
    /// A program of the same data model, for the table of effects.
    pub sample: Program,
}

#[derive(Clone, Copy, Default)]
struct GlobalFacts {
    is_pointed_to: bool,
    is_thread_local: bool,
}

impl FunctionEffects {
    /// Of a program that evaluates from left to right. `watched` are functions that access volatile objects.
    pub fn of(program: &Program, watched: &FxHashSet<String>) -> Self {
        let mut summaries = EffectSummaries::of(program);
        for id in program.functions.ids().filter(|&id| watched.contains(&program.functions[id].name)) {
            summaries.own[id].synchronises = true;
        }
        summaries.spread();
        summaries.add_endless_loops();
        summaries.spread();
        summaries.export(!watched.is_empty())
    }

    /// Whether the order of accesses without a call may matter.
    pub fn is_watched(&self) -> bool {
        self.has_threads && self.has_watched_accesses
    }

    /// What a call of the function does; `None` through a pointer.
    pub fn of_callee(&self, name: Option<&str>) -> EvaluationEffects {
        match name {
            Some(name) => self.functions.get(name).cloned().unwrap_or_else(EvaluationEffects::unknown),
            None => self.indirect.clone(),
        }
    }

    /// Whether pointers may lead to an object of a function.
    pub fn is_local_pointed_to(&self, function: &str, local: &str) -> bool {
        !self.functions.contains_key(function) || self.local_targets.contains(&(function.to_owned(), local.to_owned()))
    }

    /// Why it may matter which of the two comes first.
    pub fn conflict(&self, one: &EvaluationEffects, other: &EvaluationEffects) -> Option<EvaluationConflict> {
        let by_order = self.hinders(one, other) || self.hinders(other, one);
        let by_memory = || self.disturbs(one, other) || self.disturbs(other, one);
        match by_order {
            true => Some(EvaluationConflict::Order),
            false => by_memory().then_some(EvaluationConflict::Memory),
        }
    }

    /// Whether `first` may keep others from seeing what `other` does, or lets them see it.
    fn hinders(&self, first: &EvaluationEffects, other: &EvaluationEffects) -> bool {
        let is_shared = |location: &AccessedMemory| self.is_shared(location);
        let writes_shared = || other.writes.iter().any(is_shared);
        let touches_shared = || other.synchronises || writes_shared() || other.reads.iter().any(is_shared);
        let by_end = || first.may_end_process && other.may_stop && !other.may_end_process;
        first.may_stop && other.may_violate
            || self.has_threads
                && (first.synchronises && touches_shared()
                    || first.may_stop && (other.synchronises || writes_shared())
                    || by_end())
    }

    fn disturbs(&self, writer: &EvaluationEffects, other: &EvaluationEffects) -> bool {
        let touched = || other.reads.iter().chain(&other.writes);
        writer.writes.iter().any(|written| touched().any(|location| self.overlap(written, location)))
    }

    fn overlap(&self, one: &AccessedMemory, other: &AccessedMemory) -> bool {
        use AccessedMemory::{Global, Local, Parameter, Pointed, Register};
        match (one, other) {
            (Pointed | Parameter(_), Pointed | Parameter(_)) => true,
            (Pointed | Parameter(_), Global(name)) | (Global(name), Pointed | Parameter(_)) => {
                self.facts(name).is_pointed_to
            }
            (Pointed | Parameter(_), Local { is_pointed_to, .. })
            | (Local { is_pointed_to, .. }, Pointed | Parameter(_)) => *is_pointed_to,
            (Global(_) | Local { .. } | Register(_), _) | (_, Register(_)) => one == other,
        }
    }

    /// Whether other threads may reach the memory.
    fn is_shared(&self, location: &AccessedMemory) -> bool {
        match location {
            AccessedMemory::Global(name) => !self.facts(name).is_thread_local,
            AccessedMemory::Local { is_pointed_to, .. } => *is_pointed_to,
            AccessedMemory::Register(_) => false,
            AccessedMemory::Parameter(_) | AccessedMemory::Pointed => true,
        }
    }

    fn facts(&self, name: &Name) -> GlobalFacts {
        self.globals.get(name).copied().unwrap_or(GlobalFacts { is_pointed_to: true, is_thread_local: false })
    }
}

/// Effects under construction.
struct EffectSummaries<'a> {
    program: &'a Program,
    names: IdVec<GlobalId, Name>,
    roots: IdVec<FunctionId, Roots>,
    /// What functions do themselves.
    own: IdVec<FunctionId, EvaluationEffects>,
    /// What they do with all that they call.
    all: IdVec<FunctionId, EvaluationEffects>,
    /// Functions whose address is taken.
    addressed: Vec<FunctionId>,
    indirect: EvaluationEffects,
    pointed_to: FxHashSet<GlobalId>,
    local_targets: FxHashSet<(String, String)>,
}

/// What operands mean in a function as a whole.
struct Inside<'a> {
    program: &'a Program,
    names: &'a IdVec<GlobalId, Name>,
    all: &'a IdVec<FunctionId, EvaluationEffects>,
    indirect: &'a EvaluationEffects,
}

impl Scene for Inside<'_> {
    fn location(&self, root: Root) -> Option<AccessedMemory> {
        match root {
            Root::Global(global) if self.program.globals[global].read_only => None,
            Root::Global(global) => Some(AccessedMemory::Global(self.names[global].clone())),
            // It is gone when the function returns.
            Root::Local(_) | Root::Fresh => None,
            Root::Parameter(index) => Some(AccessedMemory::Parameter(index)),
            Root::Anything => Some(AccessedMemory::Pointed),
        }
    }

    fn called(&self, callee: Callee) -> EvaluationEffects {
        match callee {
            Callee::Direct(function) => self.all[function].clone(),
            Callee::Indirect(_) => self.indirect.clone(),
        }
    }
}

impl<'a> EffectSummaries<'a> {
    fn of(program: &'a Program) -> Self {
        let mut summaries = Self {
            program,
            names: program.globals.iter().map(|global| Name::from(global.name.as_str())).collect(),
            roots: IdVec::new(),
            own: IdVec::new(),
            all: program.functions.ids().map(|_| EvaluationEffects::default()).collect(),
            addressed: Vec::new(),
            indirect: EvaluationEffects::default(),
            pointed_to: FxHashSet::default(),
            local_targets: FxHashSet::default(),
        };
        for relocation in program.globals.iter().flat_map(|global| &global.initial.relocations) {
            summaries.note_address(relocation.value);
        }
        let returns = returning(program);
        for (id, function) in program.functions.iter_enumerated() {
            let mut roots = Roots::of_function(&function.parameters);
            roots.learn_all(kinds(function));
            summaries.note_addresses(function, &roots);
            let mut own = summaries.own_effects(function, &roots);
            own.may_stop |= !returns[id];
            summaries.own.push(own);
            summaries.roots.push(roots);
        }
        summaries
    }

    fn inside(&self) -> Inside<'_> {
        Inside { program: self.program, names: &self.names, all: &self.all, indirect: &self.indirect }
    }

    fn own_effects(&self, function: &Function, roots: &Roots) -> EvaluationEffects {
        // Some stand for the address of a function that has a meaning of its own.
        let is_model = function.built_in && treatment(&function.name).is_none();
        let mut own = EvaluationEffects::default();
        for kind in kinds(function) {
            own.add(&match is_model {
                true => self.in_a_model(kind, roots),
                false => of_instruction(self.program, kind, roots, &self.inside()),
            });
        }
        function.blocks.iter().for_each(|block| own.add(&of_terminator(&block.terminator.kind)));
        own
    }

    /// What an instruction does in the model of a library function: such a model restricts what it has just chosen, and how it
    /// protects state of its own orders nothing else.
    fn in_a_model(&self, kind: &InstructionKind, roots: &Roots) -> EvaluationEffects {
        let effects = of_instruction(self.program, kind, roots, &self.inside());
        let is_own = match kind {
            InstructionKind::Load { address, .. }
            | InstructionKind::Store { address, .. }
            | InstructionKind::ReadModifyWrite { address, .. }
            | InstructionKind::CompareExchange { address, .. } => matches!(roots.of(*address), Root::Global(_)),
            _ => false,
        };
        match kind {
            InstructionKind::Assume { .. } => EvaluationEffects::default(),
            _ if is_own => EvaluationEffects { synchronises: false, ..effects },
            _ => effects,
        }
    }

    /// Which addresses leave the expression in which they are written down.
    fn note_addresses(&mut self, function: &Function, roots: &Roots) {
        let mut left = roots.given_away.clone();
        let mut leave = |operand: Operand| left.push(roots.of(operand));
        for kind in kinds(function) {
            match kind {
                InstructionKind::Assign { target, value } => {
                    let is_variable = function.registers[*target].name.is_some();
                    value.operands().into_iter().filter(|_| is_variable).for_each(&mut leave);
                    value.operands().into_iter().for_each(|operand| self.note_function(operand));
                }
                InstructionKind::Load { .. }
                | InstructionKind::Sync { .. }
                | InstructionKind::Library { .. }
                | InstructionKind::CopyMemory { .. }
                | InstructionKind::SetMemory { .. } => {}
                InstructionKind::Store { value, .. }
                | InstructionKind::ReadModifyWrite { value, .. }
                | InstructionKind::CompareExchange { desired: value, .. } => {
                    leave(*value);
                    self.note_function(*value);
                }
                _ => kind.operands().into_iter().for_each(|operand| {
                    leave(operand);
                    self.note_function(operand);
                }),
            }
        }
        for block in &function.blocks {
            if let TerminatorKind::Return(Some(value)) | TerminatorKind::ThreadExit(value) = block.terminator.kind {
                leave(value);
                self.note_function(value);
            }
        }
        self.note_local_addresses(function);
        for root in left {
            if let Root::Global(global) = root {
                self.pointed_to.insert(global);
            }
        }
    }

    /// An object of a function counts as pointed to unless each access names it.
    fn note_local_addresses(&mut self, function: &Function) {
        let mut note = |operand: Operand| {
            if let Operand::Local { local, .. } = operand {
                self.local_targets.insert((function.name.clone(), function.locals[local].name.clone()));
            }
        };
        for kind in kinds(function) {
            match kind {
                InstructionKind::Load { .. }
                | InstructionKind::CopyMemory { .. }
                | InstructionKind::SetMemory { .. } => {}
                InstructionKind::Store { value, .. }
                | InstructionKind::ReadModifyWrite { value, .. }
                | InstructionKind::CompareExchange { desired: value, .. } => note(*value),
                _ => kind.operands().into_iter().for_each(&mut note),
            }
        }
        function.blocks.iter().filter_map(|block| block.terminator.kind.operand()).for_each(note);
    }

    fn note_address(&mut self, operand: Operand) {
        if let Operand::Global { global, .. } = operand {
            self.pointed_to.insert(global);
        }
        self.note_function(operand);
    }

    fn note_function(&mut self, operand: Operand) {
        if let Operand::Function(function) = operand
            && !self.addressed.contains(&function)
        {
            self.addressed.push(function);
        }
    }

    /// What callees do, callers do.
    fn spread(&mut self) {
        self.all = self.own.clone();
        let mut callers: IdVec<FunctionId, Vec<FunctionId>> = self.own.ids().map(|_| Vec::new()).collect();
        let mut indirect_callers = Vec::new();
        for (id, function) in self.program.functions.iter_enumerated() {
            for kind in kinds(function) {
                match kind {
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => callers[*callee].push(id),
                    InstructionKind::Call { callee: Callee::Indirect(_), .. } => indirect_callers.push(id),
                    _ => {}
                }
            }
        }
        callers.iter_mut().for_each(Vec::dedup);
        indirect_callers.dedup();
        let mut work: Vec<FunctionId> = self.own.ids().rev().collect();
        let mut queued = vec![true; work.len()];
        while let Some(id) = work.pop() {
            queued[id.index()] = false;
            let now = self.with_calls(id);
            let is_news = now != self.all[id];
            self.all[id] = now;
            let mut next = if is_news { callers[id].clone() } else { Vec::new() };
            if self.addressed.contains(&id) && self.add_indirect(id) {
                next.extend(&indirect_callers);
            }
            for caller in next {
                if !std::mem::replace(&mut queued[caller.index()], true) {
                    work.push(caller);
                }
            }
        }
    }

    fn with_calls(&self, id: FunctionId) -> EvaluationEffects {
        let mut all = self.own[id].clone();
        let calls = kinds(&self.program.functions[id]).filter(|kind| matches!(kind, InstructionKind::Call { .. }));
        for call in calls {
            all.add(&of_instruction(self.program, call, &self.roots[id], &self.inside()));
        }
        all
    }

    /// A call through a pointer may do what the function does; whether that was news.
    fn add_indirect(&mut self, id: FunctionId) -> bool {
        let before = self.indirect.clone();
        self.indirect.add(&self.all[id]);
        self.indirect != before
    }

    fn add_endless_loops(&mut self) {
        for (id, function) in self.program.functions.iter_enumerated() {
            let writes = &self.all[id].writes;
            let through_pointers = writes
                .iter()
                .any(|location| matches!(location, AccessedMemory::Pointed | AccessedMemory::Parameter(_)));
            let is_constant = |address: Operand| match address {
                Operand::Global { global, .. } => {
                    let by_name = writes.contains(&AccessedMemory::Global(self.names[global].clone()));
                    let by_pointer = through_pointers && self.pointed_to.contains(&global);
                    !by_name && !by_pointer
                }
                _ => false,
            };
            if may_loop_for_ever(function, is_constant) {
                self.own[id].may_stop = true;
            }
        }
    }

    fn export(self, has_volatile: bool) -> FunctionEffects {
        let mut functions: FxHashMap<String, EvaluationEffects> = FxHashMap::default();
        for (id, function) in self.program.functions.iter_enumerated() {
            functions.entry(function.name.clone()).or_default().add(&self.all[id]);
        }
        let mut globals: FxHashMap<Name, GlobalFacts> = FxHashMap::default();
        for (id, global) in self.program.globals.iter_enumerated() {
            let facts = globals
                .entry(self.names[id].clone())
                .or_insert(GlobalFacts { is_thread_local: true, ..GlobalFacts::default() });
            facts.is_pointed_to |= self.pointed_to.contains(&id);
            facts.is_thread_local &= global.thread_local;
        }
        FunctionEffects {
            functions,
            indirect: self.indirect,
            globals,
            local_targets: self.local_targets,
            has_threads: has_threads(self.program),
            has_watched_accesses: has_volatile || has_atomic_accesses(self.program),
            sample: sample(self.program.data_model),
        }
    }
}

fn kinds(function: &Function) -> impl Iterator<Item = &InstructionKind> + Clone {
    function.blocks.iter().flat_map(|block| &block.instructions).map(|instruction| &instruction.kind)
}

/// A program without contents.
fn sample(data_model: DataModel) -> Program {
    Program {
        data_model,
        files: base::Files::new(),
        shapes: IdVec::new(),
        globals: IdVec::new(),
        functions: IdVec::new(),
        entry: FunctionId(0),
        input_bounds: Vec::new(),
        own_sizes: Default::default(),
    }
}

/// Whether the order of accesses without a call may matter.
pub fn may_be_watched(program: &Program, volatile: &FxHashSet<String>) -> bool {
    has_threads(program) && (!volatile.is_empty() || has_atomic_accesses(program))
}

fn has_threads(program: &Program) -> bool {
    program.functions.iter().flat_map(kinds).any(|kind| matches!(kind, InstructionKind::Spawn { .. }))
}

fn has_atomic_accesses(program: &Program) -> bool {
    program.functions.iter().flat_map(kinds).any(|kind| match kind {
        InstructionKind::Load { order, .. } | InstructionKind::Store { order, .. } => order.is_atomic(),
        InstructionKind::ReadModifyWrite { .. } | InstructionKind::CompareExchange { .. } => true,
        _ => false,
    })
}
