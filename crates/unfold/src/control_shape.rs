//! The control flow of functions, analysed once for each pass.

use std::rc::Rc;

use program::{BlockId, Function, FunctionId, Program, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::idle_rounds::carried_registers;
use crate::liveness::Liveness;
use crate::unroll_order::UnrollOrder;

/// What is known of a function once and for all.
pub(crate) struct ControlShape {
    pub order: UnrollOrder,
    pub liveness: Liveness,
    /// By its head, what each loop carries from one round to the next.
    pub carried: FxHashMap<BlockId, Vec<RegisterId>>,
    /// The heads of the loops that an edge leaves.
    pub with_exit: FxHashSet<BlockId>,
}

fn loops_with_exit(body: &Function, order: &UnrollOrder) -> FxHashSet<BlockId> {
    let mut heads = FxHashSet::default();
    for (from, block) in body.blocks.iter_enumerated().filter(|(from, _)| order.is_reachable(*from)) {
        for to in block.terminator.kind.successors() {
            heads.extend(&order.heads(from)[order.shared_loops(from, to)..]);
        }
    }
    heads
}

#[derive(Default)]
pub(crate) struct ControlShapes {
    known: FxHashMap<FunctionId, Rc<ControlShape>>,
}

impl ControlShapes {
    pub fn of(&mut self, program: &Program, function: FunctionId) -> Rc<ControlShape> {
        let body = &program.functions[function];
        let shape = self.known.entry(function).or_insert_with(|| {
            let (order, liveness) = (UnrollOrder::new(body), Liveness::new(body));
            let carried = carried_registers(body, &order, &liveness);
            let with_exit = loops_with_exit(body, &order);
            Rc::new(ControlShape { order, liveness, carried, with_exit })
        });
        shape.clone()
    }
}
