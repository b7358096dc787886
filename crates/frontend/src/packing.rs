//! `#pragma pack`: which greatest member alignment is in force at which token.

/// The changes of the packing, in token order.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    /// From this token index on, this alignment holds.
    changes: Vec<(usize, Option<u32>)>,
    /// What was in force at each `push`, and its name.
    pushed: Vec<(Option<u32>, Vec<u8>)>,
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
        let number = arguments.iter().find_map(|argument| parse_number(argument));
        let name = arguments.get(1).filter(|argument| parse_number(argument).is_none()).map(|name| name.to_vec());
        match arguments[0] {
            b"push" => self.pushed.push((alignment, name.unwrap_or_default())),
            b"pop" => {
                // All down to the last of that name; the last without a name, or if there is none of that name.
                let named = name.and_then(|name| self.pushed.iter().rposition(|(_, known)| *known == name));
                let position = named.or(self.pushed.len().checked_sub(1));
                if let Some((before, _)) = position.and_then(|position| self.pushed.drain(position..).next()) {
                    alignment = before;
                }
            }
            _ => {}
        }
        // Zero is the alignment without the pragma.
        alignment = number.map_or(alignment, |number| (number > 0).then_some(number));
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
    fn pop_to_a_name() {
        let mut packing = Packing::default();
        packing.pragma(b"pack(push, a, 1)", 10);
        packing.pragma(b"pack(push, b)", 20);
        packing.pragma(b"pack(2)", 30);
        packing.pragma(b"pack(pop, unknown)", 40);
        packing.pragma(b"pack(pop, a)", 50);
        packing.pragma(b"pack(pop)", 60);
        let seen: Vec<_> = [10, 20, 30, 40, 50, 60].into_iter().map(|token| packing.at(token)).collect();
        assert_eq!(seen, [Some(1), Some(1), Some(2), Some(1), None, None]);
    }

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
