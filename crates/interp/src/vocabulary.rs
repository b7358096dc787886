//! The variables that predicates speak of. One variable stands for one register of one activation, or one cell of memory, in the
//! state at hand; a step is a simultaneous assignment to them. Besides there are the choices of a step and the cells of arrays
//! that nobody changes any more: the read of a place in one is a variable named by the array and the term of the place, so that
//! equal places must be told apart by [congruence](crate::oracle).

use std::collections::BTreeMap;

use base::Id;
use program::{Analyses, DataModel, FunctionId, GlobalId, LocalId, Location, Operand, Program, RegisterId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::ObjectId;
use terms::{TermId, Terms, VariableId};

/// What a memory object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VariableObject {
    /// Null and bare integers.
    None,
    Function(FunctionId),
    Global(GlobalId),
    ThreadLocal(GlobalId, u32),
    /// Of the activation at this depth of the thread's stack.
    Local {
        thread: u32,
        depth: u32,
        function: FunctionId,
        local: LocalId,
    },
    /// The n-th that the thread allocates there.
    Allocated {
        thread: u32,
        location: Location,
        ordinal: u32,
    },
}

/// How the contents of an object are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectContents {
    /// A variable for each cell.
    Cells,
    /// A function from places to values, which is unknown and does not change once it has been read.
    Array,
}

/// How an array is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AccessWidths {
    /// The bytes of the first access.
    bytes: Option<u64>,
    /// There are others with another number of bytes.
    is_mixed: bool,
    /// It changes after it was read.
    is_written: bool,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub key: VariableObject,
    pub size: Option<u64>,
    pub contents: ObjectContents,
    /// Of an array: how long its accesses are.
    pub access: AccessWidths,
    /// Bytes that are zero when the object is made.
    pub zeroed: bool,
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Meaning {
    Register {
        thread: u32,
        depth: u32,
        function: FunctionId,
        register: RegisterId,
    },
    Cell {
        object: ObjectId,
        offset: u64,
        bytes: u8,
    },
    /// What a thread leaves for those who join it.
    Result {
        thread: u32,
    },
    /// A choice within one step.
    Choice {
        thread: u32,
        index: u32,
        width: u8,
    },
    /// The contents of an array at a place.
    Read {
        array: ObjectId,
        bytes: u8,
        place: TermId,
    },
    /// A choice of one step of a path, or a variable after so many assignments (static single assignment).
    Instance {
        step: u32,
        choice: VariableId,
    },
}

impl Meaning {
    /// Whether it is a part of the state.
    pub fn is_state(self) -> bool {
        matches!(self, Meaning::Register { .. } | Meaning::Cell { .. } | Meaning::Result { .. })
    }
}

/// Two accesses that overlap without being the same: not representable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OverlappingAccess;

/// Objects that are larger than this are arrays.
const MAX_CELLS_BYTES: u64 = 512;

pub struct Vocabulary<'p> {
    pub program: &'p Program,
    pub terms: Terms,
    meanings: FxHashMap<VariableId, Meaning>,
    variables: FxHashMap<Meaning, TermId>,
    objects: Vec<Object>,
    object_ids: FxHashMap<VariableObject, ObjectId>,
    /// Where cells begin in each object, with their bytes; `None`: a synchronisation object.
    layout: BTreeMap<(ObjectId, u64), (u64, bool)>,
    /// Whether cells were found in objects to which something was done as a whole.
    pub layout_grew: bool,
    /// Globals to which something was done as a whole.
    watched: FxHashSet<ObjectId>,
}

impl<'p> Vocabulary<'p> {
    pub fn new(analyses: &Analyses<'p>) -> Self {
        let (key, contents, access) = (VariableObject::None, ObjectContents::Cells, AccessWidths::default());
        let none = Object { key, size: Some(0), contents, access, zeroed: false };
        Self {
            program: analyses.program,
            terms: Terms::new(),
            meanings: FxHashMap::default(),
            variables: FxHashMap::default(),
            objects: vec![none],
            object_ids: FxHashMap::from_iter([(VariableObject::None, ObjectId::NONE)]),
            layout: BTreeMap::new(),
            layout_grew: false,
            watched: FxHashSet::default(),
        }
    }

    pub fn model(&self) -> DataModel {
        self.program.data_model
    }

    pub fn object(&mut self, key: VariableObject, size: Option<u64>, zeroed: bool) -> ObjectId {
        if let Some(&id) = self.object_ids.get(&key) {
            let known = &mut self.objects[id.index()];
            if known.size.is_some() && known.size != size {
                known.size = None;
                known.contents = ObjectContents::Array;
                self.layout_grew = true;
            }
            return id;
        }
        let contents = if size.is_some_and(|size| size <= MAX_CELLS_BYTES) {
            ObjectContents::Cells
        } else {
            ObjectContents::Array
        };
        let id = ObjectId::new(self.objects.len());
        self.objects.push(Object { key, size, contents, access: AccessWidths::default(), zeroed });
        self.object_ids.insert(key, id);
        id
    }

    pub fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.index()]
    }

    /// The variable with this meaning.
    pub fn variable(&mut self, meaning: Meaning, ty: Type) -> TermId {
        if let Some(&term) = self.variables.get(&meaning) {
            return term;
        }
        let term = match ty.bits(self.model()) {
            1 => self.terms.bool_variable(String::new()),
            bits => self.terms.bv_variable(String::new(), u32::from(bits)),
        };
        self.know(meaning, term);
        term
    }

    fn know(&mut self, meaning: Meaning, term: TermId) {
        let id = variable_of(&self.terms, term).expect("a new variable should be one");
        self.meanings.insert(id, meaning);
        self.variables.insert(meaning, term);
    }

    pub fn register(&mut self, thread: u32, depth: u32, function: FunctionId, register: RegisterId) -> TermId {
        let ty = self.program.functions[function].registers[register].ty;
        self.variable(Meaning::Register { thread, depth, function, register }, ty)
    }

    /// The cell at a place in an object of cells.
    pub fn cell(&mut self, object: ObjectId, offset: u64, bytes: u64) -> Result<TermId, OverlappingAccess> {
        self.lay_out(object, offset, bytes, false)?;
        Ok(self.variable(Meaning::Cell { object, offset, bytes: bytes as u8 }, Type::Int(bytes as u8 * 8)))
    }

    /// Notes that there is a synchronisation object.
    pub fn sync_object(&mut self, object: ObjectId, offset: u64, bytes: u64) -> Result<(), OverlappingAccess> {
        self.lay_out(object, offset, bytes, true)
    }

    fn lay_out(&mut self, object: ObjectId, offset: u64, bytes: u64, is_sync: bool) -> Result<(), OverlappingAccess> {
        if let Some(&known) = self.layout.get(&(object, offset)) {
            return if known == (bytes, is_sync) { Ok(()) } else { Err(OverlappingAccess) };
        }
        let before = self.layout.range((object, 0)..(object, offset)).next_back();
        let overlaps_before = before.is_some_and(|(&(_, start), &(length, _))| start + length > offset);
        let overlaps_after = self.layout.range((object, offset)..(object, offset + bytes)).next().is_some();
        if overlaps_before || overlaps_after {
            return Err(OverlappingAccess);
        }
        self.layout.insert((object, offset), (bytes, is_sync));
        self.layout_grew |=
            !matches!(self.get(object).key, VariableObject::Global(_)) || self.watched.contains(&object);
        Ok(())
    }

    /// From now on a new cell of the object changes what was done to it as a whole.
    pub fn watch_layout(&mut self, object: ObjectId) {
        self.watched.insert(object);
    }

    /// The cells of an object that lie in a range; `Err` if one lies there only in part, or a synchronisation object does.
    pub fn cells_in(&self, object: ObjectId, from: u64, to: u64) -> Result<Vec<(u64, u64)>, OverlappingAccess> {
        let mut found = Vec::new();
        for (&(_, start), &(bytes, is_sync)) in self.layout.range((object, 0)..(object, to)) {
            if start + bytes <= from {
                continue;
            }
            if is_sync || start < from || start + bytes > to {
                return Err(OverlappingAccess);
            }
            found.push((start, bytes));
        }
        Ok(found)
    }

    /// All cells of an object.
    pub fn cells(&self, object: ObjectId) -> Vec<(u64, u64)> {
        let all = self.layout.range((object, 0)..=(object, u64::MAX));
        all.filter(|(_, (_, is_sync))| !is_sync).map(|(&(_, start), &(bytes, _))| (start, bytes)).collect()
    }

    /// Whether a synchronisation object is known to be inside.
    pub fn has_sync(&self, object: ObjectId) -> bool {
        self.layout.range((object, 0)..=(object, u64::MAX)).any(|(_, &(_, is_sync))| is_sync)
    }

    /// The objects that are known to have been allocated there.
    pub fn allocated_at(&self, location: Location) -> Vec<ObjectId> {
        let is_there =
            |object: &Object| matches!(object.key, VariableObject::Allocated { location: at, .. } if at == location);
        (0..self.objects.len()).filter(|&index| is_there(&self.objects[index])).map(ObjectId::new).collect()
    }

    /// All objects with their numbers.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().map(|(index, object)| (ObjectId::new(index), object))
    }

    /// Where cells, or synchronisation objects, begin in each object, with their bytes.
    pub fn laid_out(&self, are_sync: bool) -> impl Iterator<Item = (ObjectId, u64, u64)> {
        let wanted = self.layout.iter().filter(move |(_, (_, is_sync))| *is_sync == are_sync);
        wanted.map(|(&(object, offset), &(bytes, _))| (object, offset, bytes))
    }

    /// The contents of an array at a place.
    pub fn read(&mut self, array: ObjectId, bytes: u64, place: TermId) -> TermId {
        self.variable(Meaning::Read { array, bytes: bytes as u8, place }, Type::Int(bytes as u8 * 8))
    }

    /// Notes how an array is accessed; `Err` if it is written, and in pieces of different sizes. Where a write comes after
    /// reads, these have to be looked at again.
    pub fn access_array(&mut self, array: ObjectId, bytes: u64, writes: bool) -> Result<(), OverlappingAccess> {
        let access = &mut self.objects[array.index()].access;
        let before = *access;
        let first = *access.bytes.get_or_insert(bytes);
        access.is_mixed |= first != bytes;
        access.is_written |= writes;
        let (had_reads, now) = (before.bytes.is_some(), *access);
        self.layout_grew |= had_reads && (before.is_mixed, before.is_written) != (now.is_mixed, now.is_written);
        if now.is_mixed && now.is_written { Err(OverlappingAccess) } else { Ok(()) }
    }

    /// Whether an array changes after it was read.
    pub fn is_written(&self, array: ObjectId) -> bool {
        self.get(array).access.is_written
    }

    /// What a read of an array yields before the first step, if that is known.
    pub fn initial_read(&mut self, array: ObjectId, bytes: u8) -> Option<TermId> {
        let VariableObject::Global(global) = self.get(array).key else { return None };
        let initial = &self.program.globals[global].initial;
        let is_zero =
            !initial.indeterminate && initial.relocations.is_empty() && initial.bytes.iter().all(|&byte| byte == 0);
        (is_zero && self.is_written(array)).then(|| self.terms.constant(u32::from(bytes) * 8, 0))
    }

    pub fn choice(&mut self, thread: u32, index: u32, ty: Type) -> TermId {
        let width = ty.bits(self.model());
        self.variable(Meaning::Choice { thread, index, width }, ty)
    }

    /// A choice in one step of a path.
    pub fn instance_of(&mut self, step: u32, choice: VariableId) -> TermId {
        let ty = match self.terms.sort(self.terms.variable_term(choice)) {
            terms::Sort::Bool => Type::BOOL,
            terms::Sort::BitVec(width) => Type::Int(width as u8),
            terms::Sort::Array(_) => unreachable!("a choice is a number"),
        };
        self.variable(Meaning::Instance { step, choice }, ty)
    }

    pub fn meaning(&self, variable: VariableId) -> Meaning {
        self.meanings[&variable]
    }

    /// The value of a variable before the first step: `None` if it may be any.
    pub fn initial(&mut self, variable: VariableId) -> Option<TermId> {
        let Meaning::Cell { object, offset, bytes } = self.meaning(variable) else { return None };
        let global = match self.get(object).key {
            VariableObject::Global(global) | VariableObject::ThreadLocal(global, _) => &self.program.globals[global],
            _ => return None,
        };
        let initial = &global.initial;
        if initial.indeterminate {
            return None;
        }
        let covered = offset..offset + u64::from(bytes);
        let relocation = initial.relocations.iter().find(|one| covered.contains(&one.offset));
        if let Some(relocation) = relocation {
            let start = match relocation.value {
                Operand::Global { offset, .. } => offset as u64,
                _ => 0,
            };
            return (relocation.offset == offset).then(|| self.terms.constant(u32::from(bytes) * 8, start));
        }
        let byte = |index: u64| u64::from(initial.bytes.get(index as usize).copied().unwrap_or(0));
        let value = covered.rev().fold(0, |value, index| value << 8 | byte(index));
        Some(self.terms.constant(u32::from(bytes) * 8, value))
    }

    /// The bytes of a global, for its synchronisation objects.
    pub fn initial_bytes(&self, object: ObjectId, offset: u64, bytes: u64) -> Option<Vec<u8>> {
        let zeroes = || vec![0; bytes as usize];
        let global = match self.get(object).key {
            VariableObject::Global(global) | VariableObject::ThreadLocal(global, _) => &self.program.globals[global],
            _ => return self.get(object).zeroed.then(zeroes),
        };
        if global.initial.indeterminate {
            return None;
        }
        let byte = |index: u64| global.initial.bytes.get(index as usize).copied().unwrap_or(0);
        Some((offset..offset + bytes).map(byte).collect())
    }

    /// A name for people.
    pub fn name(&self, variable: VariableId) -> String {
        let function_name = |function: FunctionId| &self.program.functions[function].name;
        match self.meaning(variable) {
            Meaning::Register { thread, function, register, .. } => {
                let own = &self.program.functions[function].registers[register];
                match &own.name {
                    Some(name) => format!("T{thread}.{}.{name}", function_name(function)),
                    None => format!("T{thread}.{}.{register}", function_name(function)),
                }
            }
            Meaning::Cell { object, offset, .. } => {
                let name = self.object_name(object);
                if offset == 0 { name } else { format!("{name}+{offset}") }
            }
            Meaning::Result { thread } => format!("T{thread}.result"),
            Meaning::Choice { thread, index, .. } => format!("T{thread}?{index}"),
            Meaning::Read { array, place, .. } => format!("{}[{place}]", self.object_name(array)),
            Meaning::Instance { step, choice } if self.meaning(choice).is_state() => {
                format!("{}{step}", self.name(choice))
            }
            Meaning::Instance { step, choice } => format!("?{step}.{choice}"),
        }
    }

    fn object_name(&self, object: ObjectId) -> String {
        match self.get(object).key {
            VariableObject::None => "nothing".to_owned(),
            VariableObject::Function(function) => self.program.functions[function].name.clone(),
            VariableObject::Global(global) => self.program.globals[global].name.clone(),
            VariableObject::ThreadLocal(global, thread) => format!("T{thread}.{}", self.program.globals[global].name),
            VariableObject::Local { thread, function, local, .. } => {
                format!("T{thread}.{}", self.program.functions[function].locals[local].name)
            }
            VariableObject::Allocated { thread, location, ordinal } => format!("T{thread}.new@{location}#{ordinal}"),
        }
    }
}

/// The variable that a term is.
pub fn variable_of(terms: &Terms, term: TermId) -> Option<VariableId> {
    match terms.get(term) {
        terms::Term::Variable(variable) => Some(variable),
        _ => None,
    }
}
