//! Lifetimes and jumps: which objects live where, and what a jump ends and begins on its way.
//!
//! A jump out of frames (see `frame`) ends their objects; a jump into a frame past a declaration begins the object there
//! (C11 6.2.4: it lives from the entry into the block). Gotos and cases are connected when the function is complete,
//! since their targets may come later.

use base::Span;
use program::{BinaryOp, BlockId, GlobalId, InstructionKind, Operand, Rvalue, Terminator, TerminatorKind, Type};
use rustc_hash::FxHashMap;

use super::Emitter;
use super::frame::{FrameCheckpoint, FrameId, Frames, Position};
use super::value::{CValue, Lowered};
use crate::ctype::{QualType, TypeTable};
use crate::symbol::Symbol;

/// All jumps of a function together end and begin at most this many objects.
const MAX_TRAVEL: usize = 1 << 20;

/// What the names of objects begin with that stand for labels.
pub const LABEL: &str = "label ";

pub struct JumpLabel {
    block: BlockId,
    position: Option<Position>,
    used: Option<Span>,
}

/// A label of a function: its name, and the block that declares it with `__label__`, if one does.
type LabelId = (Symbol, Option<FrameId>);

struct Goto {
    from: BlockId,
    label: LabelId,
    position: Position,
    span: Span,
}

/// `goto *p;`
struct ComputedGoto {
    from: BlockId,
    target: Operand,
    position: Position,
    span: Span,
}

pub struct SwitchCase {
    pub low: i128,
    pub high: i128,
    pub block: BlockId,
    pub position: Position,
}

#[derive(Default)]
pub struct Switch {
    pub cases: Vec<SwitchCase>,
    pub default: Option<(BlockId, Position)>,
}

/// Where `break` or `continue` goes, and how many frames are open there.
#[derive(Clone, Copy)]
pub struct JumpTarget {
    pub block: BlockId,
    pub frames: usize,
}

#[derive(Default)]
pub struct Jumps {
    pub frames: Frames,
    travelled: usize,
    pub breaks: Vec<JumpTarget>,
    pub continues: Vec<JumpTarget>,
    pub switches: Vec<Switch>,
    labels: FxHashMap<LabelId, JumpLabel>,
    /// What `__label__` declares, in open and closed frames.
    local_labels: Vec<LabelId>,
    gotos: Vec<Goto>,
    /// What stands for the address of each label whose address is taken.
    label_addresses: Vec<(LabelId, GlobalId)>,
    computed_gotos: Vec<ComputedGoto>,
}

/// What code that is thrown away must leave as it was.
pub struct Checkpoint {
    frames: FrameCheckpoint,
    lengths: [usize; 6],
    labels: Vec<LabelId>,
}

impl Jumps {
    pub fn checkpoint(&mut self) -> Checkpoint {
        Checkpoint {
            frames: self.frames.checkpoint(),
            lengths: [
                self.breaks.len(),
                self.continues.len(),
                self.switches.len(),
                self.gotos.len(),
                self.computed_gotos.len(),
                self.local_labels.len(),
            ],
            labels: self.labels.keys().copied().collect(),
        }
    }

    pub fn roll_back(&mut self, checkpoint: Checkpoint) {
        self.frames.roll_back(checkpoint.frames);
        let [breaks, continues, switches, gotos, computed_gotos, local_labels] = checkpoint.lengths;
        self.breaks.truncate(breaks);
        self.continues.truncate(continues);
        self.switches.truncate(switches);
        self.gotos.truncate(gotos);
        self.computed_gotos.truncate(computed_gotos);
        self.local_labels.truncate(local_labels);
        self.labels.retain(|label, _| checkpoint.labels.contains(label));
    }

    pub fn position(&self) -> Position {
        self.frames.position()
    }

    /// The label of this name that is meant in the innermost frame.
    fn label_id(&self, name: Symbol) -> LabelId {
        (name, self.frames.innermost_of(|frame| self.local_labels.contains(&(name, Some(frame)))))
    }
}

impl Emitter<'_, '_> {
    pub fn jump_to(&mut self, target: JumpTarget, span: Span) {
        self.exit_frames(target.frames, span);
        self.builder.goto(target.block, span);
    }

    /// `__label__ name;`
    pub fn declare_label(&mut self, name: Symbol) {
        let frame = self.jumps.frames.innermost_of(|_| true);
        self.jumps.local_labels.push((name, frame));
    }

    pub fn goto_label(&mut self, label: Symbol, span: Span) {
        let label = self.jumps.label_id(label);
        let entry = self.label(label);
        entry.used.get_or_insert(span);
        self.jumps.frames.note_goto(label.0);
        let from = self.builder.current;
        let position = self.jumps.position();
        self.jumps.gotos.push(Goto { from, label, position, span });
        // The terminator is set when the label's position is known.
        self.builder.current = self.builder.new_block();
    }

    /// `&&label`: the address of an object that nothing else is.
    pub fn label_address(&mut self, label: Symbol, span: Span) -> CValue {
        let label = self.jumps.label_id(label);
        let known = self.jumps.label_addresses.iter().find(|(known, _)| *known == label);
        let global = match known {
            Some(&(_, global)) => global,
            None => {
                let name = format!("{LABEL}{}", self.names.name(label.0));
                let global = self.link.add_global(&name, QualType::plain(TypeTable::CHAR), span);
                let slot = &mut self.link.globals[global];
                (slot.defined, slot.read_only, slot.library) = (true, true, true);
                self.jumps.label_addresses.push((label, global));
                global
            }
        };
        CValue::scalar(Operand::Global { global, offset: 0 }, TypeTable::VOID_POINTER)
    }

    /// Jumps to the label with this address, when all labels are known.
    pub fn goto_address(&mut self, target: Operand, span: Span) {
        let target = self.builder.pin(target);
        let (from, position) = (self.builder.current, self.jumps.position());
        self.jumps.computed_gotos.push(ComputedGoto { from, target, position, span });
        self.builder.current = self.builder.new_block();
    }

    fn connect_computed_goto(&mut self, goto: ComputedGoto) {
        let ComputedGoto { from, target, position, span } = goto;
        self.builder.switch_to(from);
        for (label, global) in self.jumps.label_addresses.clone() {
            let Some((block, there)) = self.jumps.labels.get(&label).map(|l| (l.block, l.position.clone())) else {
                continue;
            };
            let right = Operand::Global { global, offset: 0 };
            let same = Rvalue::Binary { op: BinaryOp::Eq, ty: Type::Pointer, left: target, right, signed: false };
            let same = self.builder.compute(same, Type::BOOL, span);
            let (step, rest) = (self.builder.new_block(), self.builder.new_block());
            self.builder.branch(same, step, rest, span);
            self.builder.switch_to(step);
            self.travel(&position, &there.unwrap_or_default(), span);
            self.builder.goto(block, span);
            self.builder.switch_to(rest);
        }
        self.builder.emit(
            InstructionKind::Unsupported { what: "a computed goto whose target is not a label of the function".into() },
            span,
        );
        self.builder.terminate(TerminatorKind::Unreachable, span);
    }

    pub fn define_label(&mut self, label: Symbol, span: Span) -> Lowered<()> {
        let position = self.jumps.position();
        let label = self.jumps.label_id(label);
        let entry = self.label(label);
        if entry.position.is_some() {
            let name = self.names.name(label.0);
            return self.error("redefinition", span, format!("the label `{name}` is defined twice"));
        }
        entry.position = Some(position);
        let block = entry.block;
        self.jumps.frames.note_label(label.0);
        self.builder.goto(block, span);
        self.builder.switch_to(block);
        Ok(())
    }

    fn label(&mut self, label: LabelId) -> &mut JumpLabel {
        let builder = &mut self.builder;
        self.jumps.labels.entry(label).or_insert_with(|| JumpLabel {
            block: builder.new_block(),
            position: None,
            used: None,
        })
    }

    /// Connects all gotos; the function's code is complete.
    pub fn connect_gotos(&mut self) {
        for (label, _) in self.jumps.label_addresses.clone() {
            if self.jumps.labels.get(&label).is_none_or(|label| label.position.is_none()) {
                let text = format!("there is no label `{}`", self.names.name(label.0));
                let _: Lowered<()> = self.error("undeclared", Span::UNKNOWN, text);
            }
        }
        for goto in std::mem::take(&mut self.jumps.computed_gotos) {
            self.connect_computed_goto(goto);
        }
        for goto in std::mem::take(&mut self.jumps.gotos) {
            let Some(label) = self.jumps.labels.get(&goto.label) else { continue };
            let block = label.block;
            match label.position.clone() {
                Some(position) => {
                    self.builder.switch_to(goto.from);
                    self.travel(&goto.position, &position, goto.span);
                    let terminator = Terminator { kind: TerminatorKind::Goto(block), span: goto.span };
                    self.builder.blocks[goto.from].terminator = Some(terminator);
                }
                None => {
                    let name = self.names.name(goto.label.0);
                    let _: Lowered<()> = self.error("undeclared", goto.span, format!("there is no label `{name}`"));
                }
            }
        }
    }

    /// Ends and begins what lies between two positions.
    pub fn travel(&mut self, from: &Position, to: &Position, span: Span) {
        let (ended, begun) = self.jumps.frames.between(from, to);
        self.jumps.travelled += ended.len() + begun.len();
        if self.jumps.travelled > MAX_TRAVEL {
            let text = "the code is too complex here: the jumps of this function leave and enter too many blocks";
            let _: Lowered<()> = self.error("too-complex", span, text);
            return;
        }
        self.emit_exits(&ended, span);
        for exit in begun {
            self.begin_on_the_way(exit, span);
        }
    }

    /// Whether a jump between the positions has something to do on its way.
    pub fn is_long_way(&self, from: &Position, to: &Position) -> bool {
        let (ended, begun) = self.jumps.frames.between(from, to);
        !ended.is_empty() || !begun.is_empty()
    }
}
