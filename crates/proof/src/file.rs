//! What a proof file contains. Everything is named by its position in a table.

use program::{DataModel, Function, FunctionId, Global, GlobalId, LocalId, Location, Program, PropertySet, RegisterId};
use terms::{BinaryOp, Relation, Sort, UnaryOp};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProofFile {
    /// Of the program that the proof is about: see [`program_hash`](crate::program_hash).
    pub program: String,
    pub model: DataModel,
    pub properties: PropertySet,
    pub objects: Vec<ProofObject>,
    /// Where cells begin in objects, and how many bytes they have.
    pub cells: Vec<(u32, u64, u64)>,
    /// Where synchronisation objects lie.
    pub sync_objects: Vec<(u32, u64, u64)>,
    /// Operands come before the terms over them.
    pub terms: Vec<ProofTerm>,
    /// The terms that are predicates.
    pub predicates: Vec<u32>,
    /// What variables are known to hold besides predicates, for many nodes at once.
    pub claims: Vec<Vec<(ProofVariable, ProofClaim)>>,
    pub steps: Vec<ProofStep>,
    /// The first one is the beginning.
    pub nodes: Vec<ProofNode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProofObject {
    pub key: ProofObjectKey,
    /// Whether it is an unknown function from places to values, rather than cells.
    pub is_array: bool,
}

/// What a memory object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProofObjectKey {
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

/// What a variable of the state stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProofVariable {
    Register {
        thread: u32,
        depth: u32,
        function: FunctionId,
        register: RegisterId,
    },
    Cell {
        object: u32,
        offset: u64,
        bytes: u8,
    },
    /// What a thread leaves for those who join it.
    Result {
        thread: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProofTerm {
    Boolean(bool),
    Constant {
        width: u8,
        value: u64,
    },
    /// With its number of bits; one bit is a truth value.
    Variable(ProofVariable, u8),
    /// What lies in an array at a place.
    Element {
        array: u32,
        bytes: u8,
        place: u32,
    },
    Not(u32),
    And(u32, u32),
    Xor(u32, u32),
    Ite(u32, u32, u32),
    Unary(UnaryOp, u32),
    Binary(BinaryOp, u32, u32),
    Compare(Relation, u32, u32),
    Concat(u32, u32),
    Extract {
        arg: u32,
        high: u8,
        low: u8,
    },
    SignExtend {
        arg: u32,
        width: u8,
    },
}

/// What a variable is claimed to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProofClaim {
    /// A pointer into an object, with its offset if that is known.
    Pointer(u32, Option<u64>),
    Number(u64),
    /// Nothing that may be used.
    Lost,
}

/// What one thread does in one go.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ProofStep {
    pub thread: u32,
    /// The instructions and terminators in their order.
    pub trail: Vec<Location>,
    /// Where the thread is afterwards, unless it has ended.
    pub end: Option<Location>,
    /// How operations on synchronisation objects end, where there is a choice.
    pub choices: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProofNode {
    pub claims: u32,
    /// The predicates that hold.
    pub held: Vec<u32>,
    /// Steps that need not be taken here.
    pub sleep: Vec<u32>,
    /// The steps that are taken, in their order, and the nodes to which they lead.
    pub moves: Vec<(u32, u32)>,
    /// The node that stands for this one.
    pub covered_by: Option<u32>,
}

impl ProofFile {
    /// The sorts of all terms. Only of a file whose terms are well-formed.
    pub fn sorts(&self) -> Result<Vec<Sort>, String> {
        let mut sorts = Vec::with_capacity(self.terms.len());
        for (index, term) in self.terms.iter().enumerate() {
            let sort = sort_of(term, &sorts).ok_or_else(|| format!("the term {index} is none"))?;
            sorts.push(sort);
        }
        Ok(sorts)
    }

    /// Whether every number names something, in the file and in the program.
    pub fn fits(&self, program: &Program) -> Result<(), String> {
        let sorts = self.sorts()?;
        let bad = |what: &str, index: usize| Err(format!("{what} {index} names something that is not there"));
        for (index, object) in self.objects.iter().enumerate() {
            if !has_object(program, object.key) {
                return bad("object", index);
            }
        }
        let is_object = |object: u32| (object as usize) < self.objects.len();
        if let Some(index) = self.cells.iter().position(|&(object, _, bytes)| !is_object(object) || !is_size(bytes)) {
            return bad("cell", index);
        }
        if let Some(index) = self.sync_objects.iter().position(|&(object, ..)| !is_object(object)) {
            return bad("synchronisation object", index);
        }
        let fits = |variable: &ProofVariable| self.bits_of(program, variable);
        for (index, term) in self.terms.iter().enumerate() {
            let is_right = match term {
                ProofTerm::Variable(variable, bits) => fits(variable) == Some(*bits),
                ProofTerm::Element { array, .. } => is_object(*array) && self.objects[*array as usize].is_array,
                _ => true,
            };
            if !is_right {
                return bad("term", index);
            }
        }
        let is_truth = |term: &u32| sorts.get(*term as usize) == Some(&Sort::Bool);
        if let Some(index) = self.predicates.iter().position(|term| !is_truth(term)) {
            return bad("predicate", index);
        }
        for (index, claims) in self.claims.iter().enumerate() {
            let is_right = |(variable, claim): &(ProofVariable, ProofClaim)| {
                fits(variable).is_some()
                    && match claim {
                        ProofClaim::Pointer(object, _) => is_object(*object),
                        ProofClaim::Number(_) | ProofClaim::Lost => true,
                    }
            };
            if !claims.iter().all(is_right) {
                return bad("claims", index);
            }
        }
        for (index, step) in self.steps.iter().enumerate() {
            if step.trail.is_empty() || !step.trail.iter().chain(&step.end).all(|&at| has_location(program, at)) {
                return bad("step", index);
            }
        }
        if self.nodes.is_empty() {
            return Err("there are no nodes".to_owned());
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let all = |numbers: &[u32], length: usize| numbers.iter().all(|&number| (number as usize) < length);
            let is_right = (node.claims as usize) < self.claims.len()
                && all(&node.held, self.predicates.len())
                && all(&node.sleep, self.steps.len())
                && node.moves.iter().all(|&(step, to)| all(&[step], self.steps.len()) && all(&[to], self.nodes.len()))
                && node.covered_by.is_none_or(|other| all(&[other], self.nodes.len()));
            if !is_right {
                return bad("node", index);
            }
        }
        Ok(())
    }

    /// How many bits a variable of the program has.
    fn bits_of(&self, program: &Program, variable: &ProofVariable) -> Option<u8> {
        match *variable {
            ProofVariable::Register { function, register, .. } => {
                let registers = &function_of(program, function)?.registers;
                registers.get(register).map(|register| register.ty.bits(program.data_model))
            }
            ProofVariable::Cell { object, bytes, .. } => {
                let is_right = (object as usize) < self.objects.len() && is_size(u64::from(bytes));
                is_right.then_some(bytes.wrapping_mul(8))
            }
            ProofVariable::Result { .. } => Some(program.data_model.pointer_bits()),
        }
    }
}

fn is_size(bytes: u64) -> bool {
    (1..=8).contains(&bytes)
}

fn function_of(program: &Program, function: FunctionId) -> Option<&Function> {
    program.functions.get(function)
}

fn global_of(program: &Program, global: GlobalId) -> Option<&Global> {
    program.globals.get(global)
}

fn has_location(program: &Program, location: Location) -> bool {
    let block = function_of(program, location.function).and_then(|function| function.blocks.get(location.block));
    block.is_some_and(|block| location.index as usize <= block.instructions.len())
}

fn has_object(program: &Program, key: ProofObjectKey) -> bool {
    match key {
        ProofObjectKey::Function(function) => function_of(program, function).is_some(),
        ProofObjectKey::Global(global) => global_of(program, global).is_some_and(|global| !global.thread_local),
        ProofObjectKey::ThreadLocal(global, _) => global_of(program, global).is_some_and(|global| global.thread_local),
        ProofObjectKey::Local { function, local, .. } => {
            function_of(program, function).is_some_and(|function| function.locals.get(local).is_some())
        }
        ProofObjectKey::Allocated { location, .. } => has_location(program, location),
    }
}

fn sort_of(term: &ProofTerm, sorts: &[Sort]) -> Option<Sort> {
    let of = |operand: u32| sorts.get(operand as usize).copied();
    let is_width = |width: u32| (1..=terms::MAX_WIDTH).contains(&width);
    let bits = |operand: u32| match of(operand)? {
        Sort::BitVec(width) => Some(width),
        _ => None,
    };
    let truth = |operand: u32| (of(operand)? == Sort::Bool).then_some(Sort::Bool);
    match *term {
        ProofTerm::Boolean(_) => Some(Sort::Bool),
        ProofTerm::Constant { width, value } => {
            let fits = is_width(u32::from(width)) && value <= u64::MAX >> (64 - u32::from(width));
            fits.then_some(Sort::BitVec(u32::from(width)))
        }
        ProofTerm::Variable(_, 1) => Some(Sort::Bool),
        ProofTerm::Variable(_, width) => is_width(u32::from(width)).then_some(Sort::BitVec(u32::from(width))),
        ProofTerm::Element { bytes, place, .. } => {
            bits(place)?;
            is_size(u64::from(bytes)).then_some(Sort::BitVec(u32::from(bytes) * 8))
        }
        ProofTerm::Not(a) => truth(a),
        ProofTerm::And(a, b) | ProofTerm::Xor(a, b) => truth(a).and(truth(b)),
        ProofTerm::Ite(condition, a, b) => {
            truth(condition)?;
            of(a).filter(|&sort| of(b) == Some(sort))
        }
        ProofTerm::Unary(_, a) => bits(a).map(Sort::BitVec),
        ProofTerm::Binary(_, a, b) => bits(a).filter(|&width| bits(b) == Some(width)).map(Sort::BitVec),
        ProofTerm::Compare(_, a, b) => bits(a).filter(|&width| bits(b) == Some(width)).map(|_| Sort::Bool),
        ProofTerm::Concat(a, b) => {
            let width = bits(a)? + bits(b)?;
            is_width(width).then_some(Sort::BitVec(width))
        }
        ProofTerm::Extract { arg, high, low } => {
            let is_inside = low <= high && u32::from(high) < bits(arg)?;
            is_inside.then(|| Sort::BitVec(u32::from(high - low) + 1))
        }
        ProofTerm::SignExtend { arg, width } => {
            let grows = u32::from(width) >= bits(arg)? && is_width(u32::from(width));
            grows.then_some(Sort::BitVec(u32::from(width)))
        }
    }
}
