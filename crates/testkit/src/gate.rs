//! A program behind a gate: `main` does nothing unless an input has one value. What a shortcut proves of a program it must
//! not prove because of the gate, and what chance finds at once it does not find behind one.

/// The text with a gate at the beginning of `main`; the input that opens it is 1.
pub fn with_gate(text: &str) -> String {
    let Some(main) = text.find("int main(void)") else { return text.to_owned() };
    let Some(body) = text[main..].find('{').map(|brace| main + brace + 1) else { return text.to_owned() };
    let (before, head, rest) = (&text[..main], &text[main..body], &text[body..]);
    format!(
        "{before}extern int __VERIFIER_nondet_int(void);\n{head}\n    if (__VERIFIER_nondet_int() != 1) return 0;{rest}"
    )
}

#[cfg(test)]
mod tests {
    use super::with_gate;

    #[test]
    fn the_gate_is_the_first_statement_of_main() {
        let expected = "int x;\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n    \
                        if (__VERIFIER_nondet_int() != 1) return 0; x = 1; }";
        assert_eq!(with_gate("int x;\nint main(void) { x = 1; }"), expected);
    }
}
