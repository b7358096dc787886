//! Comparisons that say where memory lies. Objects have names here and no addresses: two are never equal, and a number is equal to none.
//! In a run an input may be the address of an object, a new local may lie where one has been that a pointer still names, the end
//! of an object may be the beginning of another, and literals may be one object. What such a comparison decides is not
//! representable, and neither is the order of places far before their object. Freed memory is not looked at: programs that compare
//! pointers to it are not analysed at all.

use program::{AllocationKind, At, BinaryOp, InstructionKind, LocalId, Operand};
use symbolic::{ObjectId, PointerOrder, SymValue};
use terms::TermId;

use crate::control::{ControlStatus, KnownValue};
use crate::step::{Limit, Stepper, SymbolicRun};
use crate::vocabulary::VariableObject;

/// Numbers in the first and the last page of memory, and from here on, are not the address of anything.
const PAGE: u64 = 4096;
const LAST_ADDRESS: u64 = 1 << 47;

/// What a value may be: when it names which object, and its number or its offset there.
struct NamedObjects {
    objects: Vec<(TermId, ObjectId)>,
    offset: TermId,
}

impl Stepper<'_, '_> {
    /// A comparison for equality is not representable where it is not certain what it yields.
    pub fn leave_out_doubtful_equality(&mut self, run: &mut SymbolicRun, left: &SymValue, right: &SymValue) {
        let (Some(left), Some(right)) = (self.names(left), self.names(right)) else { return };
        let mut doubtful = Vec::new();
        for &(is_one, one) in &left.objects {
            for &(is_other, other) in &right.objects {
                let doubt = self.doubt(run, (one, left.offset), (other, right.offset));
                doubtful.push(self.machine.vocabulary.terms.and_all(&[is_one, is_other, doubt]));
            }
        }
        let doubtful = self.machine.vocabulary.terms.or_all(&doubtful);
        if self.machine.vocabulary.terms.as_boolean(doubtful) != Some(false) {
            self.leave_out(run, doubtful, "a comparison of addresses that depends on where memory lies");
        }
    }

    /// The order of pointers is not representable where it depends on where their object lies.
    pub fn leave_out_doubtful_order(
        &mut self,
        run: &mut SymbolicRun,
        op: BinaryOp,
        left: Operand,
        right: Operand,
    ) -> Result<(), Limit> {
        let (left, right) = (self.operand(run, left)?, self.operand(run, right)?);
        let terms = &mut self.machine.vocabulary.terms;
        if let Some(PointerOrder { doubtful, .. }) = symbolic::pointer_order(terms, op, &left, &right)
            && terms.as_boolean(doubtful) != Some(false)
        {
            self.leave_out(run, doubtful, "an order of addresses that depends on where memory lies");
        }
        Ok(())
    }

    fn names(&mut self, value: &SymValue) -> Option<NamedObjects> {
        let terms = &mut self.machine.vocabulary.terms;
        match value {
            SymValue::Bool(_) => None,
            SymValue::Int(number) => {
                Some(NamedObjects { objects: vec![(terms.boolean(true), ObjectId::NONE)], offset: *number })
            }
            SymValue::Pointer { object, offset, targets } => {
                let mut is_target = |target: &ObjectId| {
                    let number = terms.constant(terms.width(*object), u64::from(target.0));
                    (terms.eq(*object, number), *target)
                };
                Some(NamedObjects { objects: targets.iter().map(&mut is_target).collect(), offset: *offset })
            }
        }
    }

    /// When two values, of which it is known what they name, may be equal or not.
    fn doubt(
        &mut self,
        run: &SymbolicRun,
        (one, offset): (ObjectId, TermId),
        (other, other_offset): (ObjectId, TermId),
    ) -> TermId {
        let (always, never) =
            (self.machine.vocabulary.terms.boolean(true), self.machine.vocabulary.terms.boolean(false));
        match (one, other) {
            (ObjectId::NONE, ObjectId::NONE) => return never,
            (ObjectId::NONE, _) => return self.may_be_address(offset),
            (_, ObjectId::NONE) => return self.may_be_address(other_offset),
            _ if one == other => return if run.control.left_behind.contains(&one) { always } else { never },
            _ => {}
        }
        let [first, second] = [one, other].map(|object| self.machine.vocabulary.get(object).key);
        if matches!(first, VariableObject::Function(_)) || matches!(second, VariableObject::Function(_)) {
            return never;
        }
        let shares = |key| self.is_literal(key);
        if (shares(first) && shares(second)) || [one, other].iter().any(|&object| self.may_have_no_place(run, object)) {
            return always;
        }
        let meet = self.touch((one, offset), other_offset);
        let meet_back = self.touch((other, other_offset), offset);
        self.machine.vocabulary.terms.or(meet, meet_back)
    }

    fn may_be_address(&mut self, number: TermId) -> TermId {
        let terms = &mut self.machine.vocabulary.terms;
        if terms.as_constant(number).is_some_and(|number| number >= LAST_ADDRESS) {
            return terms.boolean(false);
        }
        let width = terms.width(number);
        let (first, last) = (terms.constant(width, PAGE), terms.constant(width, PAGE.wrapping_neg()));
        let (above, below) = (terms.ule(first, number), terms.ult(number, last));
        terms.and(above, below)
    }

    fn is_literal(&self, key: VariableObject) -> bool {
        let program = self.machine.vocabulary.program;
        match key {
            VariableObject::Global(global) => {
                program.globals[global].is_string_literal() || program.globals[global].is_constant_literal()
            }
            VariableObject::Local { function, local, .. } => {
                program.functions[function].locals[local].is_constant_literal()
            }
            _ => false,
        }
    }

    /// Whether the object may be dead or have no size, so that another one may lie in its place.
    fn may_have_no_place(&self, run: &SymbolicRun, object: ObjectId) -> bool {
        let data = self.machine.vocabulary.get(object);
        let has_ended = |thread: u32| run.control.threads[thread as usize].status == ControlStatus::Ended;
        match data.key {
            VariableObject::Local { thread, .. } => {
                data.size == Some(0) || run.control.left_behind.contains(&object) || has_ended(thread)
            }
            VariableObject::ThreadLocal(_, thread) => data.size == Some(0) || has_ended(thread),
            VariableObject::Global(_) => data.size == Some(0),
            VariableObject::Allocated { location, .. } => match self.machine.vocabulary.program.at(location) {
                At::Instruction(instruction) => {
                    matches!(instruction.kind, InstructionKind::Allocate { kind: AllocationKind::Stack, .. })
                }
                At::Terminator(_) => false,
            },
            VariableObject::None | VariableObject::Function(_) => false,
        }
    }

    /// When a pointer is just behind its object and the other one at the beginning of its own.
    fn touch(&mut self, (object, offset): (ObjectId, TermId), other_offset: TermId) -> TermId {
        let size = self.machine.vocabulary.get(object).size;
        let terms = &mut self.machine.vocabulary.terms;
        let width = terms.width(offset);
        let start = terms.constant(width, 0);
        let at_end = match size {
            Some(size) => {
                let end = terms.constant(width, size);
                terms.eq(offset, end)
            }
            None => terms.distinct(offset, start),
        };
        let at_start = terms.eq(other_offset, start);
        terms.and(at_end, at_start)
    }

    /// The life of a local ends: from now on a pointer to it that is left may be equal to one to the next in its place.
    pub fn end_local(&mut self, run: &mut SymbolicRun, local: LocalId) {
        let object = self.object_of(run, Operand::Local { local, offset: 0 });
        let is_named =
            |value: &SymValue| matches!(value, SymValue::Pointer { targets, .. } if targets.contains(&object));
        let known = run.control.known.iter();
        let known = known.filter(|(variable, known)| {
            matches!(known, KnownValue::Pointer(target, _) if *target == object) && !run.values.contains_key(variable)
        });
        let new = run.values.iter().filter(|(_, value)| is_named(value));
        let mut pointers: Vec<_> =
            known.map(|(&variable, _)| variable).chain(new.map(|(&variable, _)| variable)).collect();
        pointers.sort_unstable();
        if pointers.into_iter().any(|variable| self.machine.is_live(&run.control, variable)) {
            run.control.left_behind.insert(object);
        }
    }
}
