//! The program as a transition system: control states, and the edges that lead from one to the next.

use std::rc::Rc;
use std::sync::Arc;

use base::Id;
use program::handles::handle_number;
use program::points_to::{MemoryObject, ObjectId as Abstract};
use program::{Analyses, At, GlobalId, InstructionKind, Location, Operand, PropertySet, RegisterId, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::ObjectId;
use terms::VariableId;

use crate::code::{Future, ProgramFacts};
use crate::control::{Control, ControlStatus, KnownValue};
use crate::edge::{ControlId, EdgeId, Move, ThreadEdge};
use crate::encoding::BlockEncoding;
use crate::step::Moves;
use crate::vocabulary::{Meaning, VariableObject, Vocabulary, variable_of};

/// What makes the future of a thread, as far as another one is not waited for.
type FutureKey = (u32, Vec<Location>, u32, Vec<(u32, RegisterId)>);

/// Registers that may still be used, by the depth of the activation.
pub type LiveRegisters = Rc<Vec<FxHashSet<RegisterId>>>;

pub struct ProductMachine<'p> {
    pub vocabulary: Vocabulary<'p>,
    pub code: Rc<ProgramFacts<'p>>,
    pub visibility: Arc<Visibility>,
    pub properties: PropertySet,
    pub encoding: BlockEncoding,
    /// Whether edges are divided by the cases of their values. A proof file has one edge for each way through the code.
    pub divides: bool,
    /// Whether arrays may change after they were read. Neither proof files nor the paper's way have words for that.
    pub stores: bool,
    controls: Vec<Rc<Control>>,
    control_ids: FxHashMap<Rc<Control>, ControlId>,
    edges: Vec<Rc<ThreadEdge>>,
    edge_ids: FxHashMap<Rc<ThreadEdge>, EdgeId>,
    moves: FxHashMap<(ControlId, u32), Moves>,
    live: FxHashMap<(Vec<Location>, bool), LiveRegisters>,
    futures: FxHashMap<FutureKey, Rc<Future>>,
}

impl<'p> ProductMachine<'p> {
    pub fn new(analyses: &Analyses<'p>, properties: PropertySet) -> Self {
        Self {
            vocabulary: Vocabulary::new(analyses),
            code: Rc::new(ProgramFacts::new(analyses)),
            visibility: analyses.get(),
            properties,
            divides: true,
            stores: false,
            encoding: BlockEncoding::Merged,
            controls: Vec::new(),
            control_ids: FxHashMap::default(),
            edges: Vec::new(),
            edge_ids: FxHashMap::default(),
            moves: FxHashMap::default(),
            live: FxHashMap::default(),
            futures: FxHashMap::default(),
        }
    }

    /// Forgets control states and where edges lead: more cells are known than when they were found.
    pub fn forget_moves(&mut self) {
        self.controls.clear();
        self.control_ids.clear();
        self.moves.clear();
        self.vocabulary.layout_grew = false;
    }

    /// The control state before the first step.
    pub fn initial(&mut self) -> ControlId {
        let mut control = Control::initial(self.vocabulary.program.entry);
        let program = self.vocabulary.program;
        for (id, _) in program.globals.iter_enumerated().filter(|(_, global)| !global.thread_local) {
            self.know_initial_addresses(&mut control, VariableObject::Global(id), id);
        }
        self.know_thread_locals(&mut control, 0);
        self.intern_control(control)
    }

    /// The addresses in the thread-local globals of a thread that begins.
    pub fn know_thread_locals(&mut self, control: &mut Control, thread: u32) {
        let program = self.vocabulary.program;
        for (id, _) in program.globals.iter_enumerated().filter(|(_, global)| global.thread_local) {
            self.know_initial_addresses(control, VariableObject::ThreadLocal(id, thread), id);
        }
    }

    fn know_initial_addresses(&mut self, control: &mut Control, key: VariableObject, id: GlobalId) {
        let program = self.vocabulary.program;
        let global = &program.globals[id];
        let object = self.vocabulary.object(key, Some(global.size), true);
        for relocation in &global.initial.relocations {
            let bytes = program.data_model.pointer_bytes();
            let (target, offset) = match relocation.value {
                Operand::Global { global, offset } if !program.globals[global].thread_local => {
                    let size = program.globals[global].size;
                    (self.vocabulary.object(VariableObject::Global(global), Some(size), true), offset as u64)
                }
                Operand::Function(function) => {
                    (self.vocabulary.object(VariableObject::Function(function), Some(1), true), 0)
                }
                _ => continue,
            };
            let offset = offset & (u64::MAX >> (64 - 8 * bytes));
            if let Ok(cell) = self.vocabulary.cell(object, relocation.offset, bytes) {
                let variable = variable_of(&self.vocabulary.terms, cell).expect("a cell should be a variable");
                control.known.insert(variable, KnownValue::Pointer(target, Some(offset)));
            }
        }
    }

    pub fn intern_control(&mut self, control: Control) -> ControlId {
        let control = Rc::new(control);
        if let Some(&id) = self.control_ids.get(&control) {
            return id;
        }
        let id = ControlId::new(self.controls.len());
        self.controls.push(control.clone());
        self.control_ids.insert(control, id);
        id
    }

    pub fn control(&self, id: ControlId) -> &Rc<Control> {
        &self.controls[id.index()]
    }

    pub fn intern_edge(&mut self, edge: ThreadEdge) -> EdgeId {
        let edge = Rc::new(edge);
        if let Some(&id) = self.edge_ids.get(&edge) {
            return id;
        }
        let id = EdgeId::new(self.edges.len());
        self.edges.push(edge.clone());
        self.edge_ids.insert(edge, id);
        id
    }

    pub fn edge(&self, id: EdgeId) -> &Rc<ThreadEdge> {
        &self.edges[id.index()]
    }

    /// All edges that have been found so far.
    pub fn edges(&self) -> impl Iterator<Item = &ThreadEdge> {
        self.edges.iter().map(|edge| &**edge)
    }

    /// What a thread can do next.
    pub fn moves(&mut self, control: ControlId, thread: u32) -> Rc<[Move]> {
        if !self.moves.contains_key(&(control, thread)) {
            let found = crate::step::moves(self, control, thread);
            self.moves.insert((control, thread), found);
        }
        self.moves[&(control, thread)].list.clone()
    }

    /// Whether all others may wait for the next step of the thread: see [`Moves::is_local`].
    pub fn moves_are_local(&mut self, control: ControlId, thread: u32) -> bool {
        self.moves(control, thread);
        self.moves[&(control, thread)].is_local
    }

    /// The threads that may move at all.
    pub fn threads(&self, control: ControlId) -> Vec<u32> {
        let control = self.control(control);
        if let Some(thread) = control.in_section() {
            return vec![thread];
        }
        let live = |(_, thread): &(usize, &crate::control::Thread)| thread.status == ControlStatus::Live;
        control.threads.iter().enumerate().filter(live).map(|(index, _)| index as u32).collect()
    }

    /// The registers of a thread that may still be used, by the depth of the activation.
    pub fn live_registers(&mut self, frames: &[Location], is_live: bool) -> LiveRegisters {
        let key = (frames.to_vec(), is_live);
        if let Some(known) = self.live.get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        if is_live {
            let last = frames.len() - 1;
            found.extend(frames.iter().enumerate().map(|(depth, &at)| self.code.live(at, depth < last)));
        }
        let found = Rc::new(found);
        self.live.insert(key, found.clone());
        found
    }

    /// Whether a variable of the state may still be used.
    pub fn is_live(&mut self, control: &Control, variable: VariableId) -> bool {
        match self.vocabulary.meaning(variable) {
            Meaning::Register { thread, depth, function, register } => {
                let Some(own) = control.threads.get(thread as usize) else { return false };
                let same = own.frames.get(depth as usize).is_some_and(|frame| frame.function == function);
                let (frames, is_live) = (own.frames.clone(), own.status == ControlStatus::Live);
                same && is_live && self.live_registers(&frames, true)[depth as usize].contains(&register)
            }
            _ => true,
        }
    }

    /// The registers of each thread that may still be used.
    pub fn liveness(&mut self, control: &Control) -> Vec<LiveRegisters> {
        let all = control.threads.iter();
        all.map(|thread| self.live_registers(&thread.frames, thread.status == ControlStatus::Live)).collect()
    }

    /// Whether a variable may still be used, where the liveness in the control state is known.
    pub fn is_live_in(&self, control: &Control, liveness: &[LiveRegisters], variable: VariableId) -> bool {
        let Meaning::Register { thread, depth, function, register } = self.vocabulary.meaning(variable) else {
            return true;
        };
        let (thread, depth) = (thread as usize, depth as usize);
        let frame = control.threads.get(thread).and_then(|own| own.frames.get(depth));
        frame.is_some_and(|frame| frame.function == function)
            && liveness[thread].get(depth).is_some_and(|live| live.contains(&register))
    }

    /// What the thread `other` may do before it has joined `thread`. Of threads that were created it is all that they ever do,
    /// so that the steps of others stay the same while they go on: else those that sleep would not be recognised.
    pub fn future(&mut self, control: &Control, other: u32, thread: u32) -> Rc<Future> {
        if other != 0 {
            let function = control.threads[other as usize].start;
            let start = Location { function, block: program::Function::ENTRY, index: 0 };
            let key = (other, vec![start], thread, Vec::new());
            let code = self.code.clone();
            return self.futures.entry(key).or_insert_with(|| Rc::new(code.future(start))).clone();
        }
        let handle = KnownValue::Number(handle_number(u64::from(thread)));
        let mut joined = Vec::new();
        // Nobody waits for a thread that is detached.
        let can_wait = !control.threads[thread as usize].detached && !self.code.detaches;
        for (&variable, &known) in control.known.iter().filter(|_| can_wait) {
            if let Meaning::Register { thread: owner, depth, register, .. } = self.vocabulary.meaning(variable)
                && owner == other
                && known == handle
            {
                joined.push((depth, register));
            }
        }
        let frames = &control.threads[other as usize].frames;
        let key = (other, frames.clone(), thread, joined);
        if let Some(known) = self.futures.get(&key) {
            return known.clone();
        }
        let (mut future, last) = (Future::default(), frames.len() - 1);
        for (depth, &frame) in frames.iter().enumerate() {
            let code = &self.code;
            let known = |register: RegisterId| key.3.contains(&(depth as u32, register));
            let ends = |location: Location| {
                let At::Instruction(instruction) = code.program.at(location) else { return false };
                let InstructionKind::Join { thread: Operand::Register(register), .. } = instruction.kind else {
                    return false;
                };
                known(register)
            };
            // Those registers hold the handle until they are assigned again.
            let kept: Vec<RegisterId> = key.3.iter().filter(|(at, _)| *at == depth as u32).map(|one| one.1).collect();
            future.extend(&code.future_without(frame, depth < last, &kept, &ends));
        }
        let future = Rc::new(future);
        self.futures.insert(key, future.clone());
        future
    }

    /// Whether nobody else can notice that `thread` accesses the object, or have a part in it.
    pub fn is_local(&mut self, control: &Control, thread: u32, object: ObjectId, writes: bool) -> bool {
        match self.abstract_object(object) {
            Some(object) => self.is_local_object(control, thread, object, writes),
            None => true,
        }
    }

    pub fn is_local_object(&mut self, control: &Control, thread: u32, object: Abstract, writes: bool) -> bool {
        self.others(control, thread).into_iter().all(|other| {
            let future = self.future(control, other, thread);
            !(future.writes.contains(object) || writes && future.reads.contains(object))
        })
    }

    /// The threads that `thread` has not waited for.
    pub fn others(&self, control: &Control, thread: u32) -> Vec<u32> {
        let all = 0..control.threads.len() as u32;
        let is_gone = |other: u32| {
            let own = &control.threads[other as usize];
            own.joined_by == Some(thread) || (other == 0 && own.status == ControlStatus::Ended)
        };
        all.filter(|&other| other != thread && !is_gone(other)).collect()
    }

    /// The abstract object, unless only one thread ever touches what it stands for.
    fn abstract_object(&self, object: ObjectId) -> Option<Abstract> {
        let object = match self.vocabulary.get(object).key {
            VariableObject::None | VariableObject::Function(_) => return None,
            VariableObject::Global(global) | VariableObject::ThreadLocal(global, _) => MemoryObject::Global(global),
            VariableObject::Local { function, local, .. } => MemoryObject::Local(function, local),
            VariableObject::Allocated { location, .. } => MemoryObject::Allocation(location),
        };
        self.code.shared(object)
    }
}
