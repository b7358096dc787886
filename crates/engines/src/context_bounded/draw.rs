//! The reachability tree as `gordian show` draws it: the walk of `lazy`, with every node kept.

use std::ops::ControlFlow;

use base::Budget;
use execute::Code;
use tree::{Drawing, FoundViolation, NodeView, Symbols, TreeOptions, Visitor};

use super::query::PathQueries;
use super::{ContextOptions, tree_options};
use crate::engine::Job;

/// The tree of a program; `None` if its globals do not fit the address space.
pub fn draw_tree(job: &Job<'_>, asked: &ContextOptions, budget: &Budget) -> Option<Drawing> {
    let code = Code::of(job.analyses).ok()?;
    // Loops that count in registers end by themselves; most of them create or join the threads.
    let options = TreeOptions {
        unwind_counting: TreeOptions::default().unwind_counting,
        ..tree_options(job, asked, asked.context_bound, job.unwind.exactly)
    };
    let mut painter = Painter::default();
    tree::explore(&code, job.properties, &options, &mut PathQueries::new(budget), &mut painter, budget);
    Some(painter.drawing)
}

#[derive(Default)]
struct Painter {
    drawing: Drawing,
}

impl Painter {
    fn flow(&self) -> ControlFlow<()> {
        if self.drawing.is_partial { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Visitor for Painter {
    fn found(&mut self, _: &mut Symbols, _: &FoundViolation<'_>) -> ControlFlow<()> {
        self.flow()
    }

    fn wants_nodes(&self) -> bool {
        true
    }

    fn node(&mut self, node: &NodeView<'_, '_>) -> ControlFlow<()> {
        self.drawing.add(node);
        self.flow()
    }

    fn begins_again(&mut self) {
        self.drawing = Drawing::default();
    }
}
