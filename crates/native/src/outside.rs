//! What comes from outside: functions of the front end's models that do nothing but return an input are, natively, calls
//! of the real library. Their names tell which.

use program::Function;

/// The array in which each stream has its place.
pub const STREAMS: &str = "__gordian_streams";

const PREFIX: &str = "__gordian_outside_";

/// The library call that the function stands for, by the name that `runtime/outside.c` gives it.
pub fn outside_name(function: &Function) -> Option<&str> {
    function.name.strip_prefix(PREFIX).filter(|_| function.built_in)
}
