//! Which objects may be touched by more than one thread.
//!
//! Threads are put into *classes*: the main thread, and for each function that is spawned the threads that run it. A
//! class of which several threads may exist counts as two. An object is *touched* by the classes that may access it
//! (synchronise on it, free it, print it), by points-to over the functions that the class may call.
//!
//! An object *escapes* if a thread other than its maker may get its address: through an argument or a result of a
//! thread, through a pointer made from an integer, or through the contents of an object that escapes (as all globals
//! do that are not thread-local) and is touched by two threads. It is *shared* if it escapes and two threads touch it.
//!
//! Guarantee: what is not shared is touched by at most one thread of any execution; what does not escape is touched
//! only by the thread that makes it. Nothing is assumed about time: a hand-over by create and join is sharing.

use std::fmt::Write;
use std::sync::Arc;

use base::{IdVec, define_id};

use crate::cfg::Cfg;
use crate::effects::{AccessAddress, AccessKind, MemoryAccess, effects};
use crate::instruction::InstructionKind;
use crate::loops::Loops;
use crate::points_to::{MemoryObject, ObjectId, ObjectSet, PointsTo};
use crate::program_::{At, FunctionId, Location, Program};

define_id!(
    /// A class of threads; 0 is the main thread.
    ClassId,
    "class"
);

/// The threads that run one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadClass {
    pub function: FunctionId,
    /// Several such threads may exist in one execution.
    pub many: bool,
    /// The functions that such a thread may execute, in ascending order.
    pub functions: Vec<FunctionId>,
}

#[derive(Clone, Debug)]
pub struct Sharing {
    pub points_to: Arc<PointsTo>,
    classes: IdVec<ClassId, ThreadClass>,
    /// Per object: the classes that may touch it, in ascending order.
    touched_by: IdVec<ObjectId, Vec<ClassId>>,
    escaped: ObjectSet,
}

impl Sharing {
    /// Of a well-formed program.
    pub fn new(program: &Program) -> Self {
        Self::with_points_to(program, Arc::new(PointsTo::new(program)))
    }

    /// As [`new`](Self::new), for callers that have the points-to analysis at hand.
    pub fn with_points_to(program: &Program, points_to: Arc<PointsTo>) -> Self {
        let classes = thread_classes(program, &points_to);
        let touched_by = touched_by(program, &points_to, &classes);
        let mut sharing = Self { points_to, classes, touched_by, escaped: ObjectSet::default() };
        sharing.escaped = sharing.find_escaped(program);
        sharing
    }

    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &ThreadClass)> {
        self.classes.iter_enumerated()
    }

    /// Whether two threads may touch the object.
    pub fn is_shared(&self, object: ObjectId) -> bool {
        self.escapes(object) && self.touched_by_two(object)
    }

    /// Whether a thread other than its maker may get the object's address.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaped.contains(object)
    }

    pub fn touched_by(&self, object: ObjectId) -> &[ClassId] {
        &self.touched_by[object]
    }

    fn touched_by_two(&self, object: ObjectId) -> bool {
        match *self.touched_by[object].as_slice() {
            [] => false,
            [class] => self.classes[class].many,
            _ => true,
        }
    }

    fn find_escaped(&self, program: &Program) -> ObjectSet {
        let mut escaped = ObjectSet::default();
        let mut work: Vec<ObjectId> =
            self.points_to.objects().filter(|&id| self.is_visible_by_name(program, id)).collect();
        work.extend(self.points_to.thread_results().iter());
        work.extend(self.points_to.found_by_integers().iter());
        for (location, kind) in reached_instructions(program, &self.points_to) {
            if let InstructionKind::Spawn { argument, .. } = kind {
                work.extend(self.points_to.operand(location.function, *argument).iter());
            }
        }
        while let Some(object) = work.pop() {
            if escaped.insert(object) && self.touched_by_two(object) {
                work.extend(self.points_to.contents(object).iter());
            }
        }
        escaped
    }

    fn is_visible_by_name(&self, program: &Program, id: ObjectId) -> bool {
        match self.points_to.object(id) {
            MemoryObject::Global(global) => !program.globals[global].thread_local,
            MemoryObject::Function(_) => true,
            MemoryObject::Local(..) | MemoryObject::Allocation(_) => false,
        }
    }

    /// For people: the classes of threads, and every object that is touched with who touches it.
    pub fn text(&self, program: &Program) -> String {
        let mut text = String::new();
        for (id, class) in self.classes() {
            let name = &program.functions[class.function].name;
            let many = if class.many { ", several threads" } else { "" };
            writeln!(text, "{id}: {name}{many}").expect("writing to a string should succeed");
        }
        for object in self.points_to.objects().filter(|&object| !self.touched_by[object].is_empty()) {
            let kind = match () {
                () if self.is_shared(object) => "shared",
                () if self.escapes(object) => "one thread",
                () => "private",
            };
            let classes: Vec<String> = self.touched_by[object].iter().map(ToString::to_string).collect();
            let described = self.points_to.describe(program, object);
            writeln!(text, "{kind}: {described} ({})", classes.join(", ")).expect("writing to a string should succeed");
        }
        text
    }
}

fn reached_instructions<'a>(
    program: &'a Program,
    points_to: &'a PointsTo,
) -> impl Iterator<Item = (Location, &'a InstructionKind)> {
    program.functions.ids().filter(|&id| points_to.is_reached(id)).flat_map(|id| instructions(program, id))
}

fn instructions(program: &Program, id: FunctionId) -> impl Iterator<Item = (Location, &InstructionKind)> {
    program.functions[id].locations(id).filter_map(|location| match program.at(location) {
        At::Instruction(instruction) => Some((location, &instruction.kind)),
        At::Terminator(_) => None,
    })
}

/// One way in which a function is started.
struct FunctionStart {
    caller: FunctionId,
    callee: FunctionId,
    spawns: bool,
    in_loop: bool,
}

fn thread_classes(program: &Program, points_to: &PointsTo) -> IdVec<ClassId, ThreadClass> {
    let starts = starts(program, points_to);
    let repeated = repeated_functions(program, &starts);
    let functions = |root| called_from(program, &starts, root);
    let main = ThreadClass { function: program.entry, many: false, functions: functions(program.entry) };
    let mut classes = IdVec::from_vec(vec![main]);
    for function in program.functions.ids() {
        let spawns: Vec<&FunctionStart> =
            starts.iter().filter(|start| start.spawns && start.callee == function).collect();
        if !spawns.is_empty() {
            let many = spawns.len() > 1 || spawns.iter().any(|start| start.in_loop || repeated[start.caller]);
            classes.push(ThreadClass { function, many, functions: functions(function) });
        }
    }
    classes
}

fn starts(program: &Program, points_to: &PointsTo) -> Vec<FunctionStart> {
    let mut starts = Vec::new();
    for caller in program.functions.ids().filter(|&id| points_to.is_reached(id)) {
        let loops = Loops::new(&Cfg::new(&program.functions[caller]));
        for (location, kind) in instructions(program, caller) {
            let spawns = matches!(kind, InstructionKind::Spawn { .. });
            let in_loop = loops.innermost(location.block).is_some();
            let callees = points_to.callees(location).iter();
            starts.extend(callees.map(|&callee| FunctionStart { caller, callee, spawns, in_loop }));
        }
    }
    starts
}

/// The functions that may be executed more than once in an execution.
fn repeated_functions(program: &Program, starts: &[FunctionStart]) -> IdVec<FunctionId, bool> {
    let mut count: IdVec<FunctionId, usize> = program.functions.iter().map(|_| 0).collect();
    count[program.entry] = 1;
    starts.iter().for_each(|start| count[start.callee] += if start.in_loop { 2 } else { 1 });
    let mut repeated: IdVec<FunctionId, bool> = count.iter().map(|&count| count > 1).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for start in starts {
            if repeated[start.caller] {
                changed |= !std::mem::replace(&mut repeated[start.callee], true);
            }
        }
    }
    repeated
}

fn called_from(program: &Program, starts: &[FunctionStart], root: FunctionId) -> Vec<FunctionId> {
    let mut callees: IdVec<FunctionId, Vec<FunctionId>> = program.functions.iter().map(|_| Vec::new()).collect();
    starts.iter().filter(|start| !start.spawns).for_each(|start| callees[start.caller].push(start.callee));
    let mut called: IdVec<FunctionId, bool> = program.functions.iter().map(|_| false).collect();
    let mut work = vec![root];
    while let Some(function) = work.pop() {
        if !std::mem::replace(&mut called[function], true) {
            work.extend(&callees[function]);
        }
    }
    called.ids().filter(|&id| called[id]).collect()
}

fn touched_by(
    program: &Program,
    points_to: &PointsTo,
    classes: &IdVec<ClassId, ThreadClass>,
) -> IdVec<ObjectId, Vec<ClassId>> {
    let by_function: IdVec<FunctionId, ObjectSet> =
        program.functions.ids().map(|id| touched_in(program, points_to, id)).collect();
    let mut touched_by: IdVec<ObjectId, Vec<ClassId>> = points_to.objects().map(|_| Vec::new()).collect();
    for (id, class) in classes.iter_enumerated() {
        let mut touched = ObjectSet::default();
        for &function in &class.functions {
            touched.extend(&by_function[function]);
        }
        touched.iter().for_each(|object| touched_by[object].push(id));
    }
    touched_by
}

fn touched_in(program: &Program, points_to: &PointsTo, function: FunctionId) -> ObjectSet {
    let mut touched = ObjectSet::default();
    for (_, kind) in instructions(program, function) {
        touched.extend(&touched_objects(program, points_to, function, kind));
    }
    touched
}

/// The objects that an instruction may access, synchronise on, free, end or print.
pub fn touched_objects(
    program: &Program,
    points_to: &PointsTo,
    function: FunctionId,
    kind: &InstructionKind,
) -> ObjectSet {
    let mut touched = ObjectSet::default();
    // What is only touched again has been touched by the instructions before.
    for access in effects(program, kind).accesses.iter().filter(|access| access.kind != AccessKind::Repeat) {
        add_accessed(&mut touched, points_to, function, access);
    }
    touched
}

/// Adds the objects to which an access may go.
pub fn add_accessed(objects: &mut ObjectSet, points_to: &PointsTo, function: FunctionId, access: &MemoryAccess) {
    match access.address {
        AccessAddress::Operand(operand) => _ = objects.extend(points_to.operand(function, operand)),
        AccessAddress::Inside(operand) => {
            for object in points_to.operand(function, operand).iter() {
                objects.extend(points_to.contents(object));
            }
        }
    }
}
