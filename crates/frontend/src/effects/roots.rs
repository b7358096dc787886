//! Which object the address in a register belongs to, as far as that is obvious: insensitive to flow, and one object at most.

use base::ids::Id;
use program::{CastOp, GlobalId, InstructionKind, LocalId, Operand, RegisterId, Rvalue};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    Global(GlobalId),
    Local(LocalId),
    Parameter(usize),
    /// No object, or one that was made here. Others find that only by an address that was stored, and so by another conflict.
    Fresh,
    /// Any object whose address is found elsewhere, too.
    Anything,
}

pub struct Roots {
    known: FxHashMap<RegisterId, Root>,
    /// Of registers before this one nothing is known.
    first: usize,
    /// Objects whose address is found elsewhere, too: it met another one in a register, or became a number.
    pub given_away: Vec<Root>,
}

impl Roots {
    /// Of a whole function.
    pub fn of_function(parameters: &[RegisterId]) -> Self {
        let known = parameters.iter().enumerate().map(|(index, &register)| (register, Root::Parameter(index)));
        Self { known: known.collect(), first: 0, given_away: Vec::new() }
    }

    /// Of code that uses the registers from this one on for itself.
    pub fn from(first: usize) -> Self {
        Self { known: FxHashMap::default(), first, given_away: Vec::new() }
    }

    /// What the operand points to.
    pub fn of(&self, operand: Operand) -> Root {
        self.learnt(operand).unwrap_or(Root::Anything)
    }

    /// As [`Self::of`]; `None` for a register that nothing has been learnt of yet.
    fn learnt(&self, operand: Operand) -> Option<Root> {
        match operand {
            Operand::Global { global, .. } => Some(Root::Global(global)),
            Operand::Local { local, .. } => Some(Root::Local(local)),
            Operand::Register(register) if register.index() < self.first => Some(Root::Anything),
            Operand::Register(register) => self.known.get(&register).copied(),
            _ => Some(Root::Fresh),
        }
    }

    /// Learns from all instructions, which may be executed in any order and number.
    pub fn learn_all<'a>(&mut self, kinds: impl Iterator<Item = &'a InstructionKind> + Clone) {
        loop {
            let mut is_news = false;
            kinds.clone().for_each(|kind| is_news |= self.learn(kind));
            if !is_news {
                break;
            }
        }
    }

    /// Learns what an instruction leaves in its registers; whether that was news.
    fn learn(&mut self, kind: &InstructionKind) -> bool {
        match *kind {
            InstructionKind::Assign { target, value } => {
                let root = self.of_value(value);
                root.is_some_and(|root| self.set(target, root))
            }
            InstructionKind::Allocate { target, .. } => self.set(target, Root::Fresh),
            _ => {
                let mut is_news = false;
                kind.targets().into_iter().for_each(|target| is_news |= self.set(target, Root::Anything));
                is_news
            }
        }
    }

    fn of_value(&mut self, value: Rvalue) -> Option<Root> {
        match value {
            Rvalue::Use(operand) | Rvalue::PointerAdd { pointer: operand, .. } => self.learnt(operand),
            Rvalue::Select { then, otherwise, .. } => match (self.learnt(then), self.learnt(otherwise)) {
                (Some(one), Some(other)) => Some(self.join(one, other)),
                (one, other) => one.or(other),
            },
            Rvalue::Cast { op, operand, .. } => {
                if op == CastOp::PointerToInt {
                    let root = self.of(operand);
                    self.give_away(root);
                }
                Some(Root::Anything)
            }
            Rvalue::Unary { .. } | Rvalue::Binary { .. } | Rvalue::PointerDifference { .. } => Some(Root::Anything),
        }
    }

    fn set(&mut self, target: RegisterId, root: Root) -> bool {
        let before = match target.index() < self.first {
            true => Some(Root::Anything),
            false => self.known.get(&target).copied(),
        };
        let now = before.map_or(root, |before| self.join(before, root));
        if before == Some(now) {
            return false;
        }
        self.known.insert(target, now);
        true
    }

    fn join(&mut self, one: Root, other: Root) -> Root {
        match (one, other) {
            (Root::Fresh, root) | (root, Root::Fresh) => root,
            _ if one == other => one,
            _ => {
                self.give_away(one);
                self.give_away(other);
                Root::Anything
            }
        }
    }

    fn give_away(&mut self, root: Root) {
        if !self.given_away.contains(&root) {
            self.given_away.push(root);
        }
    }
}
