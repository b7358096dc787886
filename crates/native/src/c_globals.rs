//! Globals as C: arrays of bytes with the layout of the program. Addresses in their initialisers are stored when the
//! process, or the thread, begins.

use std::fmt::Write;

use program::{Global, GlobalId, Program};

use crate::c_expression::c_operand;

/// Definitions, and the functions `gr_init_globals` and `gr_init_locals`.
pub fn c_globals(program: &Program, out: &mut String) {
    for (id, global) in program.globals.iter_enumerated() {
        definition(id, global, out);
    }
    for (name, thread_local) in [("gr_init_globals", false), ("gr_init_locals", true)] {
        let _ = writeln!(out, "static void {name}(void)\n{{");
        for (id, global) in program.globals.iter_enumerated().filter(|(_, global)| global.thread_local == thread_local)
        {
            initialisation(id, global, out);
        }
        *out += "}\n";
    }
}

fn definition(id: GlobalId, global: &Global, out: &mut String) {
    let storage = if global.thread_local { "static __thread" } else { "static" };
    // What a store is invalid to is put where a store traps.
    let fixed = global.read_only && global.initial.relocations.is_empty() && !global.initial.indeterminate;
    let constant = if fixed { "const " } else { "" };
    let (size, align) = (global.size.max(1), global.align.max(1));
    let _ = write!(out, "{storage} {constant}u8 {id}[{size}] __attribute__((aligned({align})))");
    let used = global.initial.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    if used > 0 {
        let bytes: Vec<String> = global.initial.bytes[..used].iter().map(u8::to_string).collect();
        let _ = write!(out, " = {{{}}}", bytes.join(","));
    }
    *out += ";\n";
}

fn initialisation(id: GlobalId, global: &Global, out: &mut String) {
    for relocation in &global.initial.relocations {
        let value = c_operand(relocation.value);
        let _ = writeln!(out, "    gr_store_ptr((ptr){id} + {}, {value});", relocation.offset);
    }
    if global.initial.indeterminate {
        let local = u8::from(global.thread_local);
        let _ = writeln!(out, "    gr_indeterminate_global({}, {local}, (ptr){id}, {});", id.0, global.size);
    }
}
