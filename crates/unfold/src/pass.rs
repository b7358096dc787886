//! One pass of the unfolding: what is unfolded, what passes have learned so far, and the graph that is built. What belongs
//! to a path alone, whatever the thread does to memory, is here: restricting it, ending it, and what must hold on it.

use std::rc::Rc;

use base::{Budget, Span};
use events::{Cut, CutKind, GuardId, InstanceId, ViolationPoint};
use program::{ConstantParts, Function, FunctionId, Location, Program, Property, RegisterId, visible::Visibility};
use symbolic::{Life, Object, ObjectId, ObjectKey, SymValue};
use terms::{TermId, Terms};

use crate::addresses::Addresses;
use crate::control_shape::{ControlShape, ControlShapes};
use crate::graph_builder::GraphBuilder;
use crate::known_offsets::{ChoiceEffort, PathKnowledge, Pointees};
use crate::open_step::OpenStep;
use crate::state::{SymState, ThreadPosition};
use crate::survey::PassFacts;
use crate::unfolder::{Site, UnfoldFailure, UnfoldOptions};

pub(crate) struct Pass<'a> {
    pub program: &'a Program,
    pub visibility: &'a Visibility,
    pub options: &'a UnfoldOptions,
    pub budget: &'a Budget,
    pub survey: PassFacts,
    pub graph: GraphBuilder,
    /// Where objects lie whose addresses are numbers to the program.
    pub addresses: Addresses,
    shapes: ControlShapes,
    /// What pointers that others may have left can name.
    pub pointees: Pointees,
    effort: ChoiceEffort,
}

impl<'a> Pass<'a> {
    pub fn new(
        program: &'a Program,
        visibility: &'a Visibility,
        options: &'a UnfoldOptions,
        budget: &'a Budget,
        survey: PassFacts,
    ) -> Self {
        let (graph, shapes) = (GraphBuilder::new(), ControlShapes::default());
        Self {
            program,
            visibility,
            options,
            budget,
            survey,
            graph,
            addresses: Addresses::default(),
            shapes,
            pointees: Pointees::default(),
            effort: ChoiceEffort::default(),
        }
    }

    pub fn control_shape(&mut self, function: FunctionId) -> Rc<ControlShape> {
        self.shapes.of(self.program, function)
    }

    /// The registers that matter before an instruction.
    pub fn live_registers(&mut self, location: Location) -> Vec<RegisterId> {
        let shape = self.control_shape(location.function);
        let function = &self.program.functions[location.function];
        shape.liveness.live_registers(function, location.block, location.index as usize)
    }

    pub fn terms(&mut self) -> &mut Terms {
        self.graph.terms()
    }

    /// The terms, and what passes learn of them.
    pub fn terms_and_survey(&mut self) -> (&Terms, &mut PassFacts) {
        (&self.graph.terms, &mut self.survey)
    }

    pub fn looks_for(&self, property: Property) -> bool {
        self.options.properties.contains(property)
    }

    pub fn guard_term(&self, state: &SymState) -> TermId {
        self.graph.guards.term(state.guard)
    }

    /// What the path of a thread says.
    pub fn known(&self, state: &SymState) -> PathKnowledge {
        PathKnowledge::of(&self.graph.terms, self.guard_term(state), self.pointees.clone(), self.effort.clone())
    }

    /// Restricts the state to where `condition` holds.
    pub fn restrict(&mut self, state: &mut SymState, condition: TermId) {
        state.guard = self.and_guard(state.guard, condition);
    }

    pub fn and_guard(&mut self, guard: GuardId, condition: TermId) -> GuardId {
        self.graph.and_guard(guard, condition)
    }

    /// Whether no execution gets into this state.
    pub fn is_dead(&self, state: &SymState) -> bool {
        self.graph.is_false(self.guard_term(state))
    }

    /// Ends a path: an execution that gets here is not followed further.
    pub fn cut(&mut self, standing: ThreadPosition, kind: CutKind, span: Span) {
        let reached = self.graph.guards.term(standing.guard);
        let literal = self.graph.bound_literal(&kind);
        if let Some(section) = standing.atomic {
            // Left out, the section is not entered at all.
            self.survey.note_refusable(section.begin);
            let counts = self.counts(standing.atomic);
            let both = self.terms().and_all(&[reached, literal, counts]);
            let constraint = self.terms().not(both);
            self.graph.constrain(constraint);
        }
        let only_for = matches!(kind, CutKind::RaceGap { .. }).then_some(Property::NoDataRace);
        self.graph.add_bound(Cut { kind, span, literal, reached, only_for });
    }

    /// Executions in which the condition holds are not followed; the state is restricted to the others.
    pub fn cut_where(&mut self, state: &mut SymState, condition: TermId, what: &str, step: &OpenStep) {
        let mut missed = state.standing();
        missed.guard = self.and_guard(missed.guard, condition);
        self.cut(missed, CutKind::Unsupported { what: what.to_owned() }, step.site.span);
        let others = self.terms().not(condition);
        self.restrict(state, others);
    }

    /// `condition` must hold for the thread to be where it is: it was blocked otherwise.
    pub fn require(&mut self, state: &SymState, condition: TermId) {
        if let Some(section) = state.atomic {
            self.survey.note_refusable(section.begin);
        }
        let (guard, counts) = (self.guard_term(state), self.counts(state.atomic));
        let guard = self.terms().and(guard, counts);
        let constraint = self.terms().implies(guard, condition);
        self.graph.constrain(constraint);
    }

    /// When the property is violated, if it is selected and can be violated here.
    pub fn record_violation(
        &mut self,
        state: &SymState,
        holds: TermId,
        property: Property,
        step: &OpenStep,
    ) -> Option<TermId> {
        let fails = self.terms().not(holds);
        let guard = self.guard_term(state);
        let condition = self.terms().and(guard, fails);
        if !self.looks_for(property) || self.graph.is_false(condition) {
            return None;
        }
        let (instance, Site { location, span }) = (step.instance, step.site);
        let steps = self.graph.steps_of(instance);
        self.graph.add_violation(ViolationPoint { property, condition, instance, location, span, steps, node: None });
        Some(condition)
    }

    /// Whether the query looks for this property; `None` if it is the only one.
    pub fn sought(&mut self, property: Property) -> Option<TermId> {
        (self.options.properties.iter().count() >= 2).then(|| self.graph.sought(property))
    }

    /// Notes that a visible instruction runs, unless it is inside an atomic section, which is one step as a whole.
    pub fn record_step(&mut self, state: &SymState, step: &mut OpenStep) {
        step.index = state.atomic.and_then(|section| section.step);
        if state.atomic.is_none() && self.visibility.is_visible(step.site.location) {
            self.graph.add_step(state, step);
        }
    }

    /// Whether the thread that is in this state is yet to create an instance, itself or through others.
    pub fn is_yet_to_be_created(&self, state: &SymState, instance: InstanceId) -> bool {
        let mut at = instance;
        while at.0 as usize >= self.graph.instances.len() && !self.survey.stands_for_many(at) {
            match self.survey.parent(at) {
                Some(parent) if parent == state.instance => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }

    /// Every thread that a set may contain.
    pub fn possible_threads(&self) -> Vec<InstanceId> {
        self.survey.instances().collect()
    }

    pub fn object(&mut self, key: ObjectKey) -> ObjectId {
        let global = |global| {
            let global: &program::Global = &self.program.globals[global];
            (Some(global.size), Some(global.shape), global.read_only, global.constant_parts.clone())
        };
        let life = if matches!(key, ObjectKey::ThreadLocal { .. }) { Life::Thread } else { Life::Process };
        let (size, shape, read_only, constant_parts) = match key {
            ObjectKey::Global(id) | ObjectKey::ThreadLocal { global: id, .. } => global(id),
            ObjectKey::None | ObjectKey::Function(_) => (Some(0), None, true, ConstantParts::default()),
            ObjectKey::Result { .. } => {
                (Some(self.program.data_model.pointer_bytes()), None, false, ConstantParts::default())
            }
            ObjectKey::Allocated { .. } => unreachable!("an allocated object should be made where it is allocated"),
        };
        self.survey.objects.intern(Object { key, size, shape, read_only, constant_parts, life })
    }

    /// The address of a global or a function, and which object it names.
    pub fn constant_address(&mut self, address: program::Operand) -> (ObjectId, SymValue) {
        let bits = u32::from(self.program.data_model.pointer_bits());
        let (key, offset) = match address {
            program::Operand::Global { global, offset } => (ObjectKey::Global(global), offset),
            program::Operand::Function(function) => (ObjectKey::Function(function), 0),
            _ => (ObjectKey::None, 0),
        };
        let object = self.object(key);
        let offset = self.terms().constant(bits, offset as u64);
        (object, SymValue::address(self.terms(), object, offset))
    }

    /// A value in the form in which a cell holds it.
    pub fn as_contents(&mut self, cell: events::CellKey, value: &SymValue) -> SymValue {
        self.survey.as_contents(self.graph.terms(), cell, value)
    }

    pub fn pointer_constant(&mut self, value: u64) -> TermId {
        let bits = u32::from(self.program.data_model.pointer_bits());
        self.terms().constant(bits, value)
    }

    pub fn select(
        &mut self,
        condition: TermId,
        then: &SymValue,
        otherwise: &SymValue,
    ) -> Result<SymValue, UnfoldFailure> {
        SymValue::select(self.terms(), condition, then, otherwise)
            .ok_or_else(|| UnfoldFailure::NotSupported("pointer and integer merged in one location".to_owned()))
    }

    /// The site of what the user did not write.
    pub fn nowhere(&self) -> Site {
        let location = Location { function: self.program.entry, block: Function::ENTRY, index: 0 };
        Site { location, span: Span::UNKNOWN }
    }
}
