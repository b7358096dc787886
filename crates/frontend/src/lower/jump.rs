//! Lifetimes and jumps: which objects live where, and what a jump ends and begins on its way.
//!
//! Every block of the program has a frame with the objects it has begun so far. A jump out of frames ends their objects;
//! a jump into a frame past a declaration begins the object there (C11 6.2.4: it lives from the entry into the block).
//! Gotos and cases are connected when the function is complete, since their targets may come later.

use base::Span;
use program::{BlockId, FunctionId, InstructionKind, LocalId, Operand, RegisterId, Terminator, TerminatorKind};
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::value::Lowered;
use crate::symbol::Symbol;

/// What must be done when control leaves the frame.
#[derive(Clone, Copy, Debug)]
pub enum ScopeExit {
    End(LocalId),
    /// A variable-length array; the register holds its address.
    Release(RegisterId),
    /// Calls a `cleanup` function with the address of an object.
    Cleanup {
        function: FunctionId,
        local: LocalId,
    },
}

#[derive(Clone, Debug)]
pub struct Frame {
    id: u32,
    exits: Vec<ScopeExit>,
}

/// The frames around a place in the code, outermost first.
pub type Position = Vec<Frame>;

pub struct Label {
    block: BlockId,
    position: Option<Position>,
    used: Option<Span>,
}

struct Goto {
    from: BlockId,
    label: Symbol,
    position: Position,
    span: Span,
}

pub struct Case {
    pub low: i128,
    pub high: i128,
    pub block: BlockId,
    pub position: Position,
}

#[derive(Default)]
pub struct Switch {
    pub cases: Vec<Case>,
    pub default: Option<(BlockId, Position)>,
}

/// Where `break` or `continue` goes, and how many frames are open there.
#[derive(Clone, Copy)]
pub struct Target {
    pub block: BlockId,
    pub frames: usize,
}

#[derive(Default)]
pub struct Jumps {
    frames: Vec<Frame>,
    next_frame: u32,
    pub breaks: Vec<Target>,
    pub continues: Vec<Target>,
    pub switches: Vec<Switch>,
    labels: FxHashMap<Symbol, Label>,
    gotos: Vec<Goto>,
}

/// What code that is thrown away must leave as it was.
pub struct Checkpoint {
    frames: Position,
    lengths: [usize; 4],
    labels: Vec<Symbol>,
}

impl Jumps {
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            frames: self.frames.clone(),
            lengths: [self.breaks.len(), self.continues.len(), self.switches.len(), self.gotos.len()],
            labels: self.labels.keys().copied().collect(),
        }
    }

    pub fn roll_back(&mut self, checkpoint: Checkpoint) {
        self.frames = checkpoint.frames;
        let [breaks, continues, switches, gotos] = checkpoint.lengths;
        self.breaks.truncate(breaks);
        self.continues.truncate(continues);
        self.switches.truncate(switches);
        self.gotos.truncate(gotos);
        self.labels.retain(|label, _| checkpoint.labels.contains(label));
    }

    pub fn position(&self) -> Position {
        self.frames.clone()
    }

    fn add(&mut self, exit: ScopeExit) {
        if let Some(frame) = self.frames.last_mut() {
            frame.exits.push(exit);
        }
    }
}

impl Lowerer<'_, '_> {
    pub fn push_frame(&mut self) {
        let id = self.f.jumps.next_frame;
        self.f.jumps.next_frame += 1;
        self.f.jumps.frames.push(Frame { id, exits: Vec::new() });
        self.scopes.push();
    }

    /// Leaves the innermost frame by running off its end.
    pub fn pop_frame(&mut self, span: Span) {
        self.scopes.pop();
        if let Some(frame) = self.f.jumps.frames.pop() {
            self.emit_exits(&frame.exits, span);
        }
    }

    /// The life of the object begins here and ends with the innermost frame.
    pub fn begin_local(&mut self, local: LocalId, span: Span) {
        self.emit(InstructionKind::Begin { local }, span);
        self.f.jumps.add(ScopeExit::End(local));
    }

    pub fn at_scope_exit(&mut self, exit: ScopeExit) {
        self.f.jumps.add(exit);
    }

    /// A mark for [`Self::hoist_begins`].
    pub fn begun(&self) -> usize {
        self.f.jumps.frames.last().map_or(0, |frame| frame.exits.len())
    }

    /// Temporary objects that began since `mark` in code that may be skipped also begin at the end of `home`, so that
    /// they live at the end of their frame whichever way control went.
    pub fn hoist_begins(&mut self, mark: usize, home: BlockId, span: Span) {
        let Some(frame) = self.f.jumps.frames.last() else { return };
        let locals: Vec<LocalId> = frame.exits[mark.min(frame.exits.len())..]
            .iter()
            .filter_map(|exit| match exit {
                ScopeExit::End(local) => Some(*local),
                _ => None,
            })
            .collect();
        let current = self.f.builder.current;
        self.f.builder.switch_to(home);
        for local in locals {
            self.emit(InstructionKind::Begin { local }, span);
        }
        self.f.builder.switch_to(current);
    }

    fn emit_exits(&mut self, exits: &[ScopeExit], span: Span) {
        for exit in exits.iter().rev() {
            match *exit {
                ScopeExit::End(local) => self.emit(InstructionKind::End { local }, span),
                ScopeExit::Release(register) => {
                    self.emit(InstructionKind::Free { address: Operand::Register(register) }, span);
                }
                ScopeExit::Cleanup { function, local } => {
                    let callee = program::Callee::Direct(function);
                    let arguments = vec![Operand::Local { local, offset: 0 }];
                    self.emit(InstructionKind::Call { target: None, callee, arguments }, span);
                }
            }
        }
    }

    /// Runs the exits of all frames above `depth`, without leaving them.
    pub fn exit_frames(&mut self, depth: usize, span: Span) {
        let frames: Vec<Frame> = self.f.jumps.frames[depth..].to_vec();
        for frame in frames.iter().rev() {
            self.emit_exits(&frame.exits, span);
        }
    }

    pub fn jump_to(&mut self, target: Target, span: Span) {
        self.exit_frames(target.frames, span);
        self.f.builder.goto(target.block, span);
    }

    pub fn goto_label(&mut self, label: Symbol, span: Span) {
        let entry = self.label(label);
        entry.used.get_or_insert(span);
        let from = self.f.builder.current;
        let position = self.f.jumps.position();
        self.f.jumps.gotos.push(Goto { from, label, position, span });
        // The terminator is set when the label's position is known.
        self.f.builder.current = self.f.builder.new_block();
    }

    pub fn define_label(&mut self, label: Symbol, span: Span) -> Lowered<()> {
        let position = self.f.jumps.position();
        let entry = self.label(label);
        if entry.position.is_some() {
            let name = self.name(label);
            return self.error("redefinition", span, format!("the label `{name}` is defined twice"));
        }
        entry.position = Some(position);
        let block = entry.block;
        self.f.builder.goto(block, self.place_of(span));
        self.f.builder.switch_to(block);
        Ok(())
    }

    fn label(&mut self, label: Symbol) -> &mut Label {
        let builder = &mut self.f.builder;
        self.f.jumps.labels.entry(label).or_insert_with(|| Label {
            block: builder.new_block(),
            position: None,
            used: None,
        })
    }

    /// Connects all gotos; the function's code is complete.
    pub fn connect_gotos(&mut self) {
        for goto in std::mem::take(&mut self.f.jumps.gotos) {
            let Some(label) = self.f.jumps.labels.get(&goto.label) else { continue };
            let block = label.block;
            match label.position.clone() {
                Some(position) => {
                    self.f.builder.switch_to(goto.from);
                    self.travel(&goto.position, &position, goto.span);
                    let terminator = Terminator { kind: TerminatorKind::Goto(block), span: goto.span };
                    self.f.builder.blocks[goto.from].terminator = Some(terminator);
                }
                None => {
                    let name = self.name(goto.label);
                    let _: Lowered<()> = self.error("undeclared", goto.span, format!("there is no label `{name}`"));
                }
            }
        }
    }

    /// Ends and begins what lies between two positions.
    pub fn travel(&mut self, from: &Position, to: &Position, span: Span) {
        let common = from.iter().zip(to).take_while(|(from, to)| from.id == to.id).count();
        for frame in from[common..].iter().rev() {
            self.emit_exits(&frame.exits, span);
        }
        for (index, frame) in to.iter().enumerate() {
            let known = if index < common { from[index].exits.len() } else { 0 };
            for exit in frame.exits.get(known..).unwrap_or_default() {
                if let ScopeExit::End(local) = exit {
                    self.emit(InstructionKind::Begin { local: *local }, span);
                }
            }
        }
    }

    /// Whether a jump between the positions has something to do on its way.
    pub fn is_long_way(from: &Position, to: &Position) -> bool {
        let count = |position: &Position| position.iter().map(|frame| frame.exits.len()).sum::<usize>();
        count(from) != count(to) || from.len() > to.len()
    }
}
