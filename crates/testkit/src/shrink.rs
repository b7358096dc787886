//! Delta debugging on the generator's own trees: a program that shows a fault is cut down, one reduction after the
//! other, as long as the fault stays. Every reduction takes calls away, or makes the program smaller, so the search ends; the
//! result is minimal in the sense that no single reduction keeps the fault.

use base::Id;

use crate::c_program::{Block, CExpr, CProgram, HelperBody, LockOrigin, Statement, Thread, ThreadArgument};

/// The smallest program found for which `still_fails` holds; it holds for `program` already.
pub fn shrink(program: &CProgram, mut still_fails: impl FnMut(&CProgram) -> bool) -> CProgram {
    let mut smallest = program.clone();
    let mut at = 0;
    let mut failures_in_a_row = 0;
    loop {
        let candidates = reductions(&smallest);
        if failures_in_a_row >= candidates.len() {
            return smallest;
        }
        at %= candidates.len();
        if still_fails(&candidates[at]) {
            smallest = candidates.into_iter().nth(at).unwrap_or(smallest);
            failures_in_a_row = 0;
        } else {
            at += 1;
            failures_in_a_row += 1;
        }
    }
}

/// All programs that are one reduction smaller, the greatest reductions first.
fn reductions(program: &CProgram) -> Vec<CProgram> {
    let mut smaller: Vec<CProgram> =
        (0..program.threads.len()).filter_map(|index| without_thread(program, Thread::new(index))).collect();
    for index in 0..program.threads.len() {
        let blocks = block_reductions(&program.threads[index], &program.helpers);
        smaller.extend(blocks.into_iter().map(|block| changed(program, |new| new.threads[index] = block)));
    }
    let blocks = block_reductions(&program.main, &program.helpers);
    smaller.extend(blocks.into_iter().map(|block| changed(program, |new| new.main = block)));
    for index in 0..program.helpers.len() {
        let helper = &program.helpers[index];
        let blocks = block_reductions(&helper.body, &program.helpers);
        smaller.extend(blocks.into_iter().map(|block| changed(program, |new| new.helpers[index].body = block)));
        let results = expression_reductions(&helper.result);
        smaller.extend(results.into_iter().map(|result| changed(program, |new| new.helpers[index].result = result)));
    }
    smaller.extend(declaration_reductions(program));
    smaller
}

fn changed(program: &CProgram, change: impl FnOnce(&mut CProgram)) -> CProgram {
    let mut new = program.clone();
    change(&mut new);
    new
}

/// The program without this thread, if it has it.
fn without_thread(program: &CProgram, thread: Thread) -> Option<CProgram> {
    let mut new = program.clone();
    new.threads[thread.index()].clear();
    forget_thread(&mut new.main, thread);
    new.threads.iter_mut().for_each(|body| forget_thread(body, thread));
    (new != *program).then_some(new)
}

fn concerns(statement: &Statement, thread: Thread) -> bool {
    let id = match statement {
        Statement::Create(id) | Statement::Join(id) | Statement::JoinInto(id, _) | Statement::Detach(id) => id,
        _ => return false,
    };
    *id == thread
}

fn forget_thread(block: &mut Block, thread: Thread) {
    block.retain(|statement| !concerns(statement, thread));
    block.iter_mut().flat_map(Statement::blocks_mut).for_each(|inner| forget_thread(inner, thread));
}

fn declaration_reductions(program: &CProgram) -> Vec<CProgram> {
    let mut smaller = Vec::new();
    for (index, &value) in program.globals.iter().enumerate() {
        if value != 0 {
            smaller.push(changed(program, |new| new.globals[index] = 0));
        }
    }
    for (index, values) in program.arrays.iter().enumerate() {
        if values.iter().any(|&value| value != 0) {
            smaller.push(changed(program, |new| new.arrays[index].fill(0)));
        }
    }
    if !program.semaphores.is_empty() {
        smaller.push(changed(program, |new| new.semaphores.clear()));
    }
    if !program.barriers.is_empty() {
        smaller.push(changed(program, |new| new.barriers.clear()));
    }
    let without = |change: fn(&mut CProgram)| changed(program, change);
    let simpler = [
        without(|new| new.options = Default::default()),
        without(|new| new.mutexes.clear()),
        without(|new| new.rwlocks.clear()),
        without(|new| new.conditions.clear()),
        without(|new| new.atomics.fill(0)),
        without(|new| new.starts.clear()),
    ];
    smaller.extend(simpler.into_iter().filter(|new| new != program));
    smaller.extend(lock_reductions(program));
    smaller.extend(start_reductions(program));
    smaller.extend(
        (0..program.helpers.len())
            .filter(|&index| program.helpers[index].atomic)
            .map(|index| changed(program, |new| new.helpers[index].atomic = false)),
    );
    smaller
}

fn lock_reductions(program: &CProgram) -> Vec<CProgram> {
    let locks = program.mutexes.iter().enumerate().filter(|(_, origin)| **origin != LockOrigin::default());
    locks.map(|(index, _)| changed(program, |new| new.mutexes[index] = LockOrigin::default())).collect()
}

fn start_reductions(program: &CProgram) -> Vec<CProgram> {
    let mut smaller = Vec::new();
    for (index, start) in program.starts.iter().enumerate() {
        if start.runs != Thread::new(index) {
            smaller.push(changed(program, |new| new.starts[index].runs = Thread::new(index)));
        }
        if start.argument != ThreadArgument::Null {
            smaller.push(changed(program, |new| new.starts[index].argument = ThreadArgument::Null));
        }
        if start.checked {
            smaller.push(changed(program, |new| new.starts[index].checked = false));
        }
        if start.result.is_some() {
            smaller.push(changed(program, |new| new.starts[index].result = None));
        }
    }
    smaller
}

fn block_reductions(block: &Block, helpers: &[HelperBody]) -> Vec<Block> {
    let mut smaller = Vec::new();
    if block.len() >= 4 && !block.iter().any(|statement| matches!(statement, Statement::Create(_))) {
        let (first, second) = block.split_at(block.len() / 2);
        smaller.push(second.to_vec());
        smaller.push(first.to_vec());
    }
    for (index, statement) in block.iter().enumerate() {
        let replaced = |new: Block| {
            let mut block = block.clone();
            block.splice(index..=index, new);
            block
        };
        // A thread is taken away as a whole: a join without its create would be undefined.
        if !matches!(statement, Statement::Create(_)) {
            smaller.push(replaced(Block::new()));
        }
        let inner = statement.blocks();
        if !inner.is_empty() {
            smaller.push(replaced(inner.into_iter().flatten().cloned().collect()));
        }
        if let Statement::Call(helper, _) = statement {
            // The parameters become locals that nobody sets: another program, but one without the call.
            smaller.push(replaced(helpers[helper.index()].body.clone()));
        }
        smaller.extend(statement_reductions(statement, helpers).into_iter().map(|new| replaced(vec![new])));
    }
    smaller
}

fn statement_reductions(statement: &Statement, helpers: &[HelperBody]) -> Vec<Statement> {
    let mut smaller = Vec::new();
    let inner: Vec<Block> = statement.blocks().into_iter().cloned().collect();
    for (index, block) in inner.iter().enumerate() {
        for reduced in block_reductions(block, helpers) {
            let mut new = statement.clone();
            *new.blocks_mut()[index] = reduced;
            smaller.push(new);
        }
    }
    if let Statement::Loop { form, rounds, condition, body } = statement {
        let with = |rounds, condition| Statement::Loop { form: *form, rounds, condition, body: body.clone() };
        smaller.extend((*rounds > 1).then(|| with(rounds - 1, condition.clone())));
        smaller.extend(condition.is_some().then(|| with(*rounds, None)));
    }
    if let Statement::JoinInto(thread, _) = statement {
        smaller.push(Statement::Join(*thread));
    }
    let count = statement.clone().expressions_mut().len();
    for index in 0..count {
        let original = statement.clone().expressions_mut()[index].clone();
        for reduced in expression_reductions(&original) {
            let mut new = statement.clone();
            *new.expressions_mut()[index] = reduced;
            smaller.push(new);
        }
    }
    smaller
}

fn expression_reductions(expression: &CExpr) -> Vec<CExpr> {
    let mut smaller = match expression {
        CExpr::Constant(0) => return Vec::new(),
        CExpr::Constant(_) => return vec![CExpr::Constant(0)],
        _ => vec![CExpr::Constant(0), CExpr::Constant(1)],
    };
    let mut copy = expression.clone();
    let children: Vec<CExpr> = copy.children_mut().into_iter().map(|child| child.clone()).collect();
    smaller.extend(children.iter().cloned());
    for (index, child) in children.iter().enumerate() {
        for reduced in expression_reductions(child) {
            let mut new = expression.clone();
            *new.children_mut()[index] = reduced;
            smaller.push(new);
        }
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Features, generate};

    #[test]
    fn what_matters_stays_and_the_rest_goes() {
        let mut shrunk = 0;
        for seed in 0..40 {
            let program = generate(seed, Features::all());
            let fails = |program: &CProgram| program.to_string().matches("++;").count() >= 2;
            if fails(&program) {
                let small = shrink(&program, fails);
                assert!(fails(&small));
                let body = small.to_string();
                let lines = body.lines().filter(|line| line.trim_end().ends_with(';') && line.starts_with("    "));
                let kept = lines.filter(|line| !line.contains("return") && !line.contains("handle"));
                assert!(kept.count() <= 6, "seed {seed}:\n{small}");
                shrunk += 1;
            }
        }
        assert!(shrunk > 5, "too few programs to try the shrinker on");
    }
}
