//! Which objects live where: every block of the program has a frame with what must be done when control leaves it.
//!
//! An object of a block lives from the entry into the block to its end, whatever jumps happen inside (C11 6.2.4 p6);
//! passing its declaration only initialises it. Usually a block passes a declaration at most once, and then its object
//! begins there, as late as possible. Where it may be passed again, since a goto leads back over it or since it is a
//! compound literal in the head of a loop, its object begins at the entry of the block.

use base::ids::IdVec;
use base::{Span, define_id};
use program::{
    AllocationKind, BlockId, FunctionId, Instruction, InstructionKind, LocalId, Operand, RegisterId, Rvalue,
};
use rustc_hash::FxHashMap;

use super::Emitter;
use super::access::plain_order;
use super::builder::Insertion;
use super::value::{Address, Lowered};
use crate::ctype::QualType;
use crate::survey::BackwardGotos;
use crate::symbol::Symbol;

/// What must be done when control leaves the frame.
#[derive(Clone, Copy, Debug)]
pub enum ScopeExit {
    End(LocalId),
    /// The object has begun at the entry of the frame. The register says whether its declaration was passed since.
    EndOfBlock {
        local: LocalId,
        passed: Option<RegisterId>,
    },
    /// A variable-length array; the register holds its address.
    Release(RegisterId),
    /// Calls a `cleanup` function with the address of an object.
    Cleanup {
        function: FunctionId,
        object: Operand,
    },
}

impl ScopeExit {
    fn is_of_block(&self) -> bool {
        matches!(self, ScopeExit::EndOfBlock { .. })
    }
}

define_id!(
    /// A block of the program, open or closed.
    FrameId,
    "frame"
);

/// A place in a frame: how many of its exits were known there.
#[derive(Clone, Copy, Debug)]
pub struct FrameMark {
    frame: FrameId,
    exits: usize,
}

/// Marks in the frames around a place in the code, outermost first.
pub type Position = Vec<FrameMark>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// A block in braces, a `for` statement or the body of a function.
    Braces,
    /// Another selection or iteration statement, or a statement that is a part of one (C11 6.8.4 p3, 6.8.5 p5).
    /// Temporary objects, which no other expression can know, are left to the frame around it.
    Statement,
    /// A part of an expression that may be skipped. It is no block of C: it has temporary objects only.
    Part,
}

struct ScopeFrame {
    kind: FrameKind,
    /// Where the frame was entered by running into it.
    entry: (BlockId, usize),
    /// The code from here to the end of the frame is the head of a loop.
    repeats: bool,
    /// In the order in which it became known.
    exits: Vec<ScopeExit>,
}

/// A jump out of a frame that was lowered while the frame was open.
struct EarlyExit {
    frame: FrameId,
    place: (BlockId, usize),
    span: Span,
}

#[derive(Default)]
pub struct Frames {
    all: IdVec<FrameId, ScopeFrame>,
    /// The open frames.
    open: Vec<FrameId>,
    early_exits: Vec<EarlyExit>,
    /// The gotos that are still to come after their labels.
    backward: BackwardGotos,
    /// For each name of labels to which a goto will still lead back: the frames that were open there.
    awaited: FxHashMap<Symbol, Vec<FrameId>>,
    /// What the entries and early exits of frames still need.
    insertions: Vec<Insertion>,
    /// Inside of how much code that is thrown away we are.
    scratches: u32,
}

/// What code that is thrown away must leave as it was.
pub struct FrameCheckpoint {
    position: Position,
    early_exits: usize,
}

impl Frames {
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn expect(&mut self, gotos: BackwardGotos) {
        self.backward = gotos;
    }

    pub fn take_insertions(&mut self) -> Vec<Insertion> {
        std::mem::take(&mut self.insertions)
    }

    pub fn checkpoint(&mut self) -> FrameCheckpoint {
        self.scratches += 1;
        FrameCheckpoint { position: self.position(), early_exits: self.early_exits.len() }
    }

    pub fn roll_back(&mut self, checkpoint: FrameCheckpoint) {
        self.scratches -= 1;
        for mark in &checkpoint.position {
            self.all[mark.frame].exits.truncate(mark.exits);
        }
        self.open = checkpoint.position.iter().map(|mark| mark.frame).collect();
        self.early_exits.truncate(checkpoint.early_exits);
    }

    pub fn position(&self) -> Position {
        self.open.iter().map(|&frame| FrameMark { frame, exits: self.all[frame].exits.len() }).collect()
    }

    pub fn note_label(&mut self, label: Symbol) {
        if self.scratches == 0 && self.backward.has_more(label) {
            // Blocks may have labels of the same name.
            self.awaited.entry(label).or_default().extend(&self.open);
        }
    }

    pub fn note_goto(&mut self, label: Symbol) {
        if self.scratches == 0 && self.awaited.contains_key(&label) && !self.backward.take(label) {
            self.awaited.remove(&label);
        }
    }

    /// Whether a goto behind this place in the code may lead back to before it.
    pub fn awaits_goto(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// Whether control may come back to before this place in the code without leaving the frame.
    fn may_go_back(&self, frame: FrameId) -> bool {
        self.all[frame].repeats || self.awaited.values().any(|frames| frames.contains(&frame))
    }

    pub fn innermost_of(&self, holds: impl Fn(FrameId) -> bool) -> Option<FrameId> {
        self.open.iter().rev().copied().find(|&frame| holds(frame))
    }

    /// The innermost open frame of such a kind.
    fn innermost(&self, holds: impl Fn(FrameKind) -> bool) -> Option<FrameId> {
        self.innermost_of(|frame| holds(self.all[frame].kind))
    }

    fn add(&mut self, frame: Option<FrameId>, exit: ScopeExit) {
        if let Some(frame) = frame {
            self.all[frame].exits.push(exit);
        }
    }

    /// The exits of what a jump leaves, outermost first, and of what it enters behind its beginning.
    pub fn between(&self, from: &Position, to: &Position) -> (Vec<ScopeExit>, Vec<ScopeExit>) {
        let common = from.iter().zip(to).take_while(|(from, to)| from.frame == to.frame).count();
        let (mut ended, mut begun) = (Vec::new(), Vec::new());
        for (from, to) in from.iter().zip(to).take(common) {
            let exits = &self.all[from.frame].exits;
            // What a jump goes back over has left its scope; objects of the block go on living.
            let is_over = |exit: &&ScopeExit| matches!(exit, ScopeExit::Release(_) | ScopeExit::Cleanup { .. });
            ended.extend(exits.get(to.exits..from.exits).unwrap_or_default().iter().filter(is_over));
            let between = exits.get(from.exits..to.exits).unwrap_or_default();
            begun.extend(between.iter().filter(|exit| !exit.is_of_block()));
        }
        from[common..].iter().for_each(|mark| ended.extend(self.living(mark)));
        to[common..].iter().for_each(|mark| begun.extend(self.living(mark)));
        (ended, begun)
    }

    /// The exits of what lives at a place of its frame.
    fn living(&self, mark: &FrameMark) -> impl Iterator<Item = ScopeExit> {
        let (before, after) = self.all[mark.frame].exits.split_at(mark.exits);
        before.iter().chain(after.iter().filter(|exit| exit.is_of_block())).copied()
    }
}

impl Emitter<'_, '_> {
    pub fn push_frame(&mut self, kind: FrameKind) {
        let entry = self.builder.place();
        let frames = &mut self.jumps.frames;
        let frame = frames.all.push(ScopeFrame { kind, entry, repeats: false, exits: Vec::new() });
        frames.open.push(frame);
    }

    /// What follows in the innermost frame is the head of a loop.
    pub fn begin_loop_head(&mut self) {
        let frames = &mut self.jumps.frames;
        if let Some(&frame) = frames.open.last() {
            frames.all[frame].repeats = true;
        }
    }

    /// Leaves the innermost frame by running off its end.
    pub fn pop_frame(&mut self, span: Span) {
        let frames = &mut self.jumps.frames;
        if let Some(frame) = frames.open.pop() {
            // A goto or case inside may still need them.
            let exits = frames.all[frame].exits.clone();
            self.emit_exits(&exits, span);
        }
    }

    /// The life of a temporary object or a parameter begins here and ends with the innermost frame that has such.
    pub fn begin_local(&mut self, local: LocalId, span: Span) {
        self.builder.emit(InstructionKind::Begin { local }, span);
        let frames = &mut self.jumps.frames;
        let frame = frames.innermost(|kind| kind != FrameKind::Statement);
        frames.add(frame, ScopeExit::End(local));
    }

    /// The object of a declaration or compound literal lives in the innermost block. Whether it may live already when
    /// control comes here; `passed` is then the register that says whether control was here since the block was entered.
    pub fn begin_in_block(&mut self, local: LocalId, passed: Option<RegisterId>, span: Span) -> bool {
        let frames = &self.jumps.frames;
        let frame = frames.innermost(|kind| kind != FrameKind::Part);
        let Some(home) = frame else { return false };
        let again = frames.may_go_back(home);
        // The object of a part of an expression that may be skipped also lives if it is.
        let may_live = again || frames.open.last() != Some(&home);
        if !may_live || frames.scratches > 0 {
            self.builder.emit(InstructionKind::Begin { local }, span);
            self.jumps.frames.add(frame, ScopeExit::End(local));
            return false;
        }
        if again && self.function.open_choices > 0 {
            // Each order of evaluation has code of its own, and with it an object.
            let what = "a block-scope object in operands that are evaluated repeatedly and in several orders".into();
            self.builder.emit(InstructionKind::Unsupported { what }, span);
        }
        let frames = &mut self.jumps.frames;
        let begin = begin_anew(local, passed)
            .map(|kind| Insertion { place: frames.all[home].entry, instruction: Instruction { kind, span } });
        frames.insertions.extend(begin);
        for exit in frames.early_exits.iter().filter(|exit| exit.frame == home) {
            let instruction = Instruction { kind: InstructionKind::End { local }, span: exit.span };
            frames.insertions.push(Insertion { place: exit.place, instruction });
        }
        frames.add(frame, ScopeExit::EndOfBlock { local, passed });
        true
    }

    /// Begins what a jump enters behind its beginning.
    pub fn begin_on_the_way(&mut self, exit: ScopeExit, span: Span) {
        match exit {
            ScopeExit::End(local) => self.builder.emit(InstructionKind::Begin { local }, span),
            ScopeExit::EndOfBlock { local, passed } => {
                begin_anew(local, passed).for_each(|kind| self.builder.emit(kind, span));
            }
            ScopeExit::Release(_) | ScopeExit::Cleanup { .. } => {}
        }
    }

    /// Control reaches a declaration without initialiser: the value becomes indeterminate, once more.
    pub fn make_indeterminate(
        &mut self,
        local: LocalId,
        ty: QualType,
        passed: Option<RegisterId>,
        span: Span,
    ) -> Lowered<()> {
        let Some(passed) = passed else { return self.overwrite(local, ty, span) };
        let (again, first) = (self.builder.new_block(), self.builder.new_block());
        let join = self.builder.new_block();
        self.builder.branch(Operand::Register(passed), again, first, span);
        self.builder.switch_to(first);
        self.builder.emit(InstructionKind::Assign { target: passed, value: Rvalue::Use(Operand::TRUE) }, span);
        self.overwrite(local, ty, span)?;
        self.builder.goto(join, span);
        self.builder.switch_to(again);
        // It is no access, so that it must not race with what another thread does to the object. That the old value
        // stays is one of the possibilities.
        let other = self.choose_alternative(span)?;
        self.builder.goto(join, span);
        self.builder.switch_to(other);
        let what =
            "a declaration without initialiser that is reached again, of an object that another thread may access"
                .into();
        self.builder.emit(InstructionKind::Unsupported { what }, span);
        self.builder.goto(join, span);
        self.builder.switch_to(join);
        Ok(())
    }

    /// Gives an object an indeterminate value.
    fn overwrite(&mut self, local: LocalId, ty: QualType, span: Span) -> Lowered<()> {
        let address = Operand::Local { local, offset: 0 };
        if let Some(scalar) = self.link.types.register_type(ty.ty) {
            let value = self.builder.unknown_operand(scalar, span);
            self.builder.emit(InstructionKind::Store { address, value, ty: scalar, order: plain_order(ty) }, span);
            return Ok(());
        }
        let blank = self.add_local("(indeterminate)", ty.ty, None, span)?;
        self.builder.emit(InstructionKind::Begin { local: blank }, span);
        let source = Operand::Local { local: blank, offset: 0 };
        self.copy_aggregate(Address::at(address), Address::at(source), ty, span)?;
        self.builder.emit(InstructionKind::End { local: blank }, span);
        Ok(())
    }

    pub fn at_scope_exit(&mut self, exit: ScopeExit) {
        let innermost = self.jumps.frames.open.last().copied();
        self.jumps.frames.add(innermost, exit);
    }

    /// Temporary objects that began since `mark` in code that may be skipped also begin at the end of `home`, so that
    /// they live at the end of their frame whichever way control went.
    pub fn hoist_begins(&mut self, mark: &Position, home: BlockId, span: Span) {
        let frames = &self.jumps.frames;
        let new = mark.iter().flat_map(|mark| frames.all[mark.frame].exits.get(mark.exits..).unwrap_or_default());
        let locals: Vec<LocalId> = new
            .filter_map(|exit| match exit {
                ScopeExit::End(local) => Some(*local),
                _ => None,
            })
            .collect();
        let current = self.builder.current;
        self.builder.switch_to(home);
        for local in locals {
            self.builder.emit(InstructionKind::Begin { local }, span);
        }
        self.builder.switch_to(current);
    }

    pub fn emit_exits(&mut self, exits: &[ScopeExit], span: Span) {
        for exit in exits.iter().rev() {
            match *exit {
                ScopeExit::End(local) | ScopeExit::EndOfBlock { local, .. } => {
                    self.builder.emit(InstructionKind::End { local }, span);
                }
                ScopeExit::Release(register) => {
                    let (address, kind) = (Operand::Register(register), AllocationKind::Stack);
                    self.builder.emit(InstructionKind::Free { address, kind }, span);
                }
                ScopeExit::Cleanup { function, object } => {
                    let callee = program::Callee::Direct(function);
                    let arguments = vec![object];
                    self.builder.emit(InstructionKind::Call { target: None, callee, arguments }, span);
                }
            }
        }
    }

    /// Runs the exits of all frames above `depth`, without leaving them.
    pub fn exit_frames(&mut self, depth: usize, span: Span) {
        let frames = &self.jumps.frames;
        let left: Vec<FrameId> = frames.open[depth..].to_vec();
        let exits: Vec<ScopeExit> = left.iter().flat_map(|&frame| &frames.all[frame].exits).copied().collect();
        self.emit_exits(&exits, span);
        let place = self.builder.place();
        let early = left.into_iter().map(|frame| EarlyExit { frame, place, span });
        self.jumps.frames.early_exits.extend(early);
    }

    pub fn end_handed_out(&mut self, ending: &[LocalId], span: Span) {
        for &local in ending {
            self.builder.emit(InstructionKind::End { local }, span);
        }
    }
}

fn begin_anew(local: LocalId, passed: Option<RegisterId>) -> impl Iterator<Item = InstructionKind> {
    let not_passed = |target| InstructionKind::Assign { target, value: Rvalue::Use(Operand::FALSE) };
    std::iter::once(InstructionKind::Begin { local }).chain(passed.map(not_passed))
}
