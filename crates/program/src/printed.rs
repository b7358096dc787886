//! What output reads from memory, as far as its text is a literal.

use crate::instruction::Operand;
use crate::print_format::{Piece, may_store, pieces};
use crate::program_::{GlobalId, Program};

/// The distance of variadic arguments in memory.
pub const SLOT_BYTES: u64 = 8;

/// The text of a string literal, up to its terminating zero.
pub fn literal(program: &Program, address: Operand) -> Option<&[u8]> {
    let Operand::Global { global, offset } = address else { return None };
    let global = program.globals.get(global)?;
    let bytes = global.initial.bytes.get(usize::try_from(offset).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    global.read_only.then_some(&bytes[..end])
}

/// How many variadic arguments a `printf` format takes, if it is a literal all of whose conversions are known, take their
/// arguments one after the other and print.
pub fn argument_slots(program: &Program, format: Operand) -> Option<u64> {
    let mut slots = 0;
    for piece in pieces(literal(program, format)?) {
        let conversion = match piece {
            Piece::Text(_) => continue,
            Piece::Conversion(conversion) => conversion,
            Piece::Unknown(_) => return None,
        };
        let fields: Vec<Option<usize>> = conversion.argument_fields().collect();
        let is_plain = conversion.position.is_none() && fields.iter().all(Option::is_none);
        if !is_plain || conversion.stores() {
            return None;
        }
        slots += fields.len() as u64 + u64::from(conversion.takes_argument());
    }
    Some(slots)
}

/// Whether a text in the object, from wherever it is read, is a format that only prints, whatever else happens. Output with
/// other formats is not supported where nothing but its execution tells what they are.
pub fn only_prints(program: &Program, object: GlobalId) -> bool {
    let global = &program.globals[object];
    global.read_only && !may_store(&global.initial.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(text: &str) -> Option<u64> {
        let bytes: String = text.bytes().chain([0]).map(|byte| format!("{byte:02x}")).collect();
        let source = format!(
            "program lp64 entry f0\nshape shape0 = opaque\nglobal g0 \"s\" size {} align 1 shape0 bytes {bytes} read-only\n\
             function f0 \"main\" () {{\nb0:\n  process-exit 0:i32\n}}\n",
            text.len() + 1
        );
        let program: Program = source.parse().expect("a well-formed program");
        argument_slots(&program, Operand::Global { global: GlobalId(0), offset: 0 })
    }

    #[test]
    fn conversions_take_their_arguments() {
        assert_eq!(slots("no arguments, 100%%"), Some(0));
        assert_eq!(slots("%d and %-5lu"), Some(2));
        assert_eq!(slots("%*.*f"), Some(3));
        assert_eq!(slots("%d %s"), Some(2));
        assert_eq!(slots("%d: %m"), Some(1));
        assert_eq!(slots("%d%n"), None);
        assert_eq!(slots("%2$d"), None);
        assert_eq!(slots("%ls"), None);
        assert_eq!(slots("ends in %"), None);
    }
}
