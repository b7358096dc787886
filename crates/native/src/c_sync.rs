//! The table of crate `sync` as C: what each synchronisation operation of the program means natively is printed from the
//! same actions that the interpreter evaluates.

use std::collections::BTreeSet;
use std::fmt::Write;

use program::SyncOp;
use program::instruction::InstructionKind;
use sync::{Action, Choice, Condition, Field, FieldSort, ObjectKind, SyncValue};

/// `gr_act` and `gr_guard` for the operations that the program uses.
pub fn c_actions(program: &program::Program, out: &mut String) {
    let used = used_operations(program);
    for &op in &used {
        action(op, sync::action(op), out);
    }
    *out += "static i64 gr_act(u32 op, u32 site, const u64 *o)\n{\n    switch (op) {\n";
    for &op in &used {
        let _ = writeln!(out, "    case {0}: return gr_act_{0}(site, o);", op as u32);
    }
    *out += "    default: return 0;\n    }\n}\n";
    *out += "static int gr_guard(u32 op, u32 thread, const u64 *o)\n{\n    switch (op) {\n";
    for &op in &used {
        let _ = writeln!(out, "    case {0}: return gr_guard_{0}(thread, o);", op as u32);
    }
    *out += "    default: return 1;\n    }\n}\n";
}

fn used_operations(program: &program::Program) -> BTreeSet<SyncOp> {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    let instructions = blocks.flat_map(|block| &block.instructions);
    let operations = instructions.filter_map(|instruction| match instruction.kind {
        InstructionKind::Sync { op, .. } => Some(op),
        _ => None,
    });
    operations.flat_map(|op| [op, sync::class(op).untimed]).collect()
}

fn action(op: SyncOp, action: &Action, out: &mut String) {
    let number = op as u32;
    let _ = writeln!(out, "static GR_UNUSED int gr_guard_{number}(u64 self, const u64 *o)\n{{");
    objects(op, action, out);
    let _ = writeln!(out, "    return {};\n}}", truth(action.goes_on_when()));
    let _ = writeln!(out, "/* {op:?} */\nstatic i64 gr_act_{number}(u32 site, const u64 *o)\n{{");
    *out += "    u64 self = gr_id, choice = 0;\n";
    objects(op, action, out);
    for (when, reason) in &action.limits {
        let _ = writeln!(out, "    if ({}) gr_unsupported({reason:?});", truth(when));
    }
    for (index, check) in action.misuses.iter().enumerate() {
        let otherwise = if index > 0 { "else " } else { "" };
        let _ = writeln!(out, "    {otherwise}if ({}) gr_misused(site, {});", truth(&check.when), check.misuse as u32);
    }
    let _ = writeln!(out, "    if (!({})) return GR_BLOCKED;", truth(&action.guard));
    if let Some(progress) = &action.progress {
        let _ = writeln!(out, "    if (!GR_WAKES_SPURIOUSLY && !({})) return GR_BLOCKED;", truth(progress));
    }
    if let Some(Choice::ThreadOf(set)) = &action.choice {
        let _ = writeln!(
            out,
            "    gr_set from = {};\n    u64 size = gr_set_size(from);\n    if (size > 0) {{\n        \
             choice = gr_choose_value(gr_set_member(from, gr_choose_among(size)));\n        \
             if (choice >= GR_MAX_THREADS || !gr_set_has(from, choice)) choice = gr_set_member(from, 0);\n    }}",
            thread_set(set)
        );
    }
    updates(action, out);
}

/// All expressions are evaluated in the old state.
fn updates(action: &Action, out: &mut String) {
    let _ = writeln!(out, "    u64 result = {};", number(&action.result));
    for (index, update) in action.updates.iter().enumerate() {
        let _ = match update.field.sort() {
            FieldSort::Threads => writeln!(out, "    gr_set new{index} = {};", thread_set(&update.value)),
            _ => writeln!(out, "    u64 new{index} = {};", number(&update.value)),
        };
    }
    for (index, update) in action.updates.iter().enumerate() {
        let _ = writeln!(out, "    s{}->{} = new{index};", update.object, field_name(update.field));
    }
    *out += "    (void)self, (void)choice, (void)site;\n    return (i64)(u32)result;\n}\n";
}

fn objects(op: SyncOp, action: &Action, out: &mut String) {
    let user = if sync::class(op).initialises { "GR_NOBODY" } else { "(u32)self" };
    for (index, kind) in action.objects.iter().enumerate() {
        let kind = match kind {
            ObjectKind::Mutex => "GR_MUTEX",
            ObjectKind::Rwlock => "GR_RWLOCK",
            ObjectKind::Spin => "GR_SPIN",
            ObjectKind::Cond => "GR_COND",
            ObjectKind::Barrier => "GR_BARRIER",
            ObjectKind::Semaphore => "GR_SEMAPHORE",
            ObjectKind::Once => "GR_ONCE",
        };
        let _ = writeln!(out, "    struct gr_sync *s{index} GR_UNUSED = gr_object((ptr)o[{index}], {kind}, {user});");
    }
}

fn field_name(field: Field) -> &'static str {
    match field {
        Field::Phase => "phase",
        Field::Kind => "lock_kind",
        Field::Owner => "owner",
        Field::Depth => "depth",
        Field::Readers0 => "readers0",
        Field::Readers1 => "readers1",
        Field::Readers2 => "readers2",
        Field::Waiters => "waiters",
        Field::Partner => "partner",
        Field::Signals => unreachable!("no action should number signals"),
        Field::Count => "count",
        Field::Arrived => "arrived",
        Field::ArrivedCount => "arrived_count",
        Field::Serial => "serial",
        Field::Value => "value",
        Field::Done => "done",
    }
}

fn is_set(value: &SyncValue) -> bool {
    match value {
        SyncValue::With(..) | SyncValue::Without(..) | SyncValue::Union(..) | SyncValue::OwnerSet(_) => true,
        SyncValue::Field { field, .. } => field.sort() == FieldSort::Threads,
        SyncValue::If(_, then, otherwise) => is_set(then) || is_set(otherwise),
        _ => false,
    }
}

fn number(value: &SyncValue) -> String {
    match value {
        SyncValue::Const(number) => format!("(u64){number}ull"),
        SyncValue::Field { object, field } => format!("s{object}->{}", field_name(*field)),
        SyncValue::Thread => "self".to_owned(),
        SyncValue::SelfAsOwner => "(self + 1)".to_owned(),
        SyncValue::Operand(index) => format!("(o[{index}] & 0xffffffffu)"),
        SyncValue::Address(index) => format!("o[{index}]"),
        SyncValue::Choice => "choice".to_owned(),
        SyncValue::Add(left, right) => format!("({} + {})", number(left), number(right)),
        SyncValue::Sub(left, right) => format!("({} - {})", number(left), number(right)),
        SyncValue::If(when, then, otherwise) => {
            format!("({} ? {} : {})", truth(when), number(then), number(otherwise))
        }
        SyncValue::With(..) | SyncValue::Without(..) | SyncValue::Union(..) | SyncValue::OwnerSet(_) => {
            unreachable!("a set of threads should not be used as a number")
        }
    }
}

const EMPTY: &str = "(gr_set){{0}}";

fn thread_set(value: &SyncValue) -> String {
    match value {
        SyncValue::Field { object, field } => format!("s{object}->{}", field_name(*field)),
        SyncValue::With(set, thread) => format!("gr_set_with({}, {})", thread_set(set), number(thread)),
        SyncValue::Without(set, thread) => format!("gr_set_without({}, {})", thread_set(set), number(thread)),
        SyncValue::Union(left, right) => format!("gr_set_union({}, {})", thread_set(left), thread_set(right)),
        SyncValue::OwnerSet(owner) => {
            let owner = number(owner);
            format!("({owner} == 0 ? {EMPTY} : gr_set_with({EMPTY}, {owner} - 1))")
        }
        SyncValue::If(when, then, otherwise) => {
            format!("({} ? {} : {})", truth(when), thread_set(then), thread_set(otherwise))
        }
        // The number 0 is the empty set, and there are no other numbers in the place of one.
        _ => EMPTY.to_owned(),
    }
}

fn truth(condition: &Condition) -> String {
    let joined = |parts: &[Condition], symbol: &str, none: &str| match parts.is_empty() {
        true => none.to_owned(),
        false => format!("({})", parts.iter().map(truth).collect::<Vec<_>>().join(symbol)),
    };
    match condition {
        Condition::True => "1".to_owned(),
        Condition::Equal(left, right) if is_set(left) || is_set(right) => {
            format!("gr_set_equal({}, {})", thread_set(left), thread_set(right))
        }
        Condition::Equal(left, right) => format!("({} == {})", number(left), number(right)),
        Condition::Less(left, right) => format!("({} < {})", number(left), number(right)),
        Condition::Contains(set, thread) => format!("gr_set_has({}, {})", thread_set(set), number(thread)),
        Condition::Not(inner) => format!("!{}", truth(inner)),
        Condition::And(parts) => joined(parts, " && ", "1"),
        Condition::Or(parts) => joined(parts, " || ", "0"),
    }
}
