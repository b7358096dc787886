//! `#pragma pack`: which greatest member alignment is in force at which token.

/// The changes of the packing, in token order.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// From this token index on, this alignment holds.
    changes: Vec<(usize, Option<u32>)>,
    pushed: Vec<Option<u32>>,
}

impl Packing {
    /// The alignment in force at the token with this index.
    pub fn at(&self, token: usize) -> Option<u32> {
        let later = self.changes.partition_point(|&(from, _)| from <= token);
        later.checked_sub(1).and_then(|last| self.changes[last].1)
    }

    /// Takes note of a pragma that stands before the token with index `token`; other pragmas than `pack` mean nothing.
    pub fn pragma(&mut self, text: &[u8], token: usize) {
        let Some(arguments) = pack_arguments(text) else { return };
        let mut alignment = self.at(token);
        if arguments == [b""] {
            alignment = None;
        }
        for argument in arguments {
            match argument {
                b"push" => self.pushed.push(alignment),
                b"pop" => alignment = self.pushed.pop().flatten(),
                number => alignment = parse_number(number).or(alignment),
            }
        }
        self.changes.push((token, alignment));
    }
}

/// The arguments of `pack(a, b)`, if `pragma` is that.
fn pack_arguments(pragma: &[u8]) -> Option<Vec<&[u8]>> {
    let rest = pragma.trim_ascii().strip_prefix(b"pack")?.trim_ascii();
    let inside = rest.strip_prefix(b"(")?.strip_suffix(b")")?;
    Some(inside.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect())
}

fn parse_number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Packing;

    #[test]
    fn push_set_and_pop() {
        let mut packing = Packing::default();
        packing.pragma(b" pack(push, 1)", 10);
        packing.pragma(b"pack(4)", 20);
        packing.pragma(b"pack ( pop ) ", 30);
        packing.pragma(b" GCC diagnostic pop", 35);
        packing.pragma(b"pack(2)", 40);
        packing.pragma(b"pack()", 50);
        let seen: Vec<_> = [9, 10, 19, 20, 30, 36, 40, 50].into_iter().map(|token| packing.at(token)).collect();
        assert_eq!(seen, [None, Some(1), Some(1), Some(4), None, None, Some(2), None]);
    }
}
