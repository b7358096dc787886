//! What output reads from memory, as far as its text is a literal.

use crate::instruction::Operand;
use crate::program_::Program;

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

/// How many variadic arguments a `printf` format takes, if it is a literal none of whose conversions writes (`%n`).
pub fn argument_slots(program: &Program, format: Operand) -> Option<u64> {
    let mut text = literal(program, format)?.iter();
    let mut slots = 0;
    while text.any(|&byte| byte == b'%') {
        loop {
            match text.next()? {
                b'%' => break,
                b'S' | b'n' => return None,
                b'*' => slots += 1,
                byte if byte.is_ascii_alphabetic() && !b"hlLqjzt".contains(byte) => {
                    slots += 1;
                    break;
                }
                _ => {}
            }
        }
    }
    Some(slots)
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
        argument_slots(&program, Operand::Global { global: crate::program_::GlobalId(0), offset: 0 })
    }

    #[test]
    fn conversions_take_their_arguments() {
        assert_eq!(slots("no arguments, 100%%"), Some(0));
        assert_eq!(slots("%d and %-5lu"), Some(2));
        assert_eq!(slots("%*.*f"), Some(3));
        assert_eq!(slots("%d %s"), Some(2));
        assert_eq!(slots("%d%n"), None);
        assert_eq!(slots("ends in %"), None);
    }
}
