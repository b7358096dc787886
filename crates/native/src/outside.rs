//! What comes from outside, and goes there: functions of the front end's models that do nothing but return an input, or do
//! nothing at all, are, natively, calls of the real library. Their names tell which.

use program::Function;

const PREFIX: &str = "__gordian_outside_";
const QUESTION: &str = "__gordian_ask_";
const OUTPUT: &str = "__gordian_tell_";

/// The library call that the function stands for, by the name that `runtime/outside.c` gives it.
pub fn outside_name(function: &Function) -> Option<&str> {
    function.name.strip_prefix(PREFIX).filter(|_| function.built_in)
}

/// What the function does natively, although it is empty: asks for what the inputs that follow are, or writes.
pub fn native_effect(function: &Function) -> Option<String> {
    let arguments: Vec<String> = function.parameters.iter().map(ToString::to_string).collect();
    let arguments = arguments.join(", ");
    let name = function.name.as_str();
    if !function.built_in {
        return None;
    }
    let asked = name.strip_prefix(QUESTION).map(|name| format!("GR_ASK(gr_ask_{name}({arguments}));"));
    asked.or_else(|| name.strip_prefix(OUTPUT).map(|name| format!("GR_TELL(gr_tell_{name}({arguments}));")))
}
