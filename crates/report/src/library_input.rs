//! Inputs that library functions take: in the trace their place is the user's call, and what they mean depends on the
//! function of the prelude that takes them.

use base::Span;
use program::{At, InstructionKind, NondetKind, Program, TraceEvent, TraceEventKind};

/// The function of the library in which an event happens; `None` if the user wrote the code.
pub fn library_function<'a>(program: &'a Program, event: &TraceEvent) -> Option<&'a str> {
    match program.functions.get(event.location.function) {
        Some(function) if !function.built_in => None,
        Some(function) => Some(plain_name(&function.name)),
        None => Some("library"),
    }
}

/// Models have names of their own for what comes from outside.
fn plain_name(name: &str) -> &str {
    match name.strip_prefix("__gordian_") {
        Some("environment_string") => "the environment",
        Some(own) => own.strip_prefix("outside_").unwrap_or(own),
        None => name,
    }
}

/// An input of a library function in words.
pub fn library_input(function: &str, value: &str) -> String {
    match (function, value.parse::<i128>()) {
        ("bytes", Ok(number)) => format!("gets bytes {}", text_of(number as u64)),
        ("is_too_late", Ok(0)) => "wakes up before the timeout".to_owned(),
        ("is_too_late", Ok(_)) => "wakes up at the timeout".to_owned(),
        ("wakes_up_spuriously", Ok(0)) => "waits until the timeout".to_owned(),
        ("wakes_up_spuriously", Ok(_)) => "wakes up spuriously".to_owned(),
        _ => format!("gets {value} from {function}"),
    }
}

/// Eight bytes as a C string would show them, without the zeros at their end.
fn text_of(number: u64) -> String {
    let bytes = number.to_le_bytes();
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    format!("\"{}\"", bytes[..end].escape_ascii())
}

/// The function that the user calls at the place of an input, and what it returns because of the input, where that is
/// known from the input alone.
pub fn returned_value(program: &Program, event: &TraceEvent) -> Option<(String, String)> {
    let TraceEventKind::Input { value } = &event.kind else { return None };
    let called = called_function(program, event.span)?;
    let number = value.parse::<i128>().ok();
    let returned = match library_function(program, event) {
        None if stores_inputs(&called) || may_fail(&called) => None,
        None => Some(value.clone()),
        Some("fgetc") => number.map(|c| if (0..=255).contains(&c) { c } else { -1 }.to_string()),
        Some("rand") => number.map(|random| (random & 0x7fff_ffff).to_string()),
        Some(_) => None,
    };
    returned.map(|value| (called, value))
}

/// What an input at a call that may fail means: whether it does.
pub fn failing_call(program: &Program, event: &TraceEvent) -> Option<String> {
    let TraceEventKind::Input { value } = &event.kind else { return None };
    let called = called_function(program, event.span).filter(|called| may_fail(called))?;
    // A call that fails may leave something indeterminate behind.
    let At::Instruction(instruction) = program.at(event.location) else { return None };
    if !matches!(instruction.kind, InstructionKind::Nondet { kind: NondetKind::Input, .. }) {
        return None;
    }
    Some(if value == "0" { format!("{called} succeeds") } else { format!("{called} fails") })
}

/// Functions that have an input of their own only where they may fail.
fn may_fail(function: &str) -> bool {
    let allocates = ["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign", "valloc", "kmalloc"];
    allocates.contains(&function) || matches!(function, "pthread_create" | "thrd_create")
}

/// Whether what a function takes goes to where its arguments point; some of it may be returned, nobody can tell which.
fn stores_inputs(function: &str) -> bool {
    function.ends_with("scanf") || matches!(function, "gettimeofday" | "clock_gettime" | "clock_getres" | "getrusage")
}

/// The name of the function that is called at a place, if the text there looks like a call.
fn called_function(program: &Program, span: Span) -> Option<String> {
    let line = program.files.line_text(span.file, span.line)?;
    let rest = line.get((span.column as usize).checked_sub(1)?..)?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    (end > 0 && rest[end..].trim_start().starts_with('(')).then(|| rest[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_the_library_are_readable() {
        assert_eq!(library_input("fgets", "3"), "gets 3 from fgets");
        assert_eq!(library_input("bytes", "8555106"), "gets bytes \"b\\x8a\\x82\"");
        assert_eq!(library_input("bytes", "0"), "gets bytes \"\"");
        assert_eq!(library_input("bytes", "-1").matches("\\xff").count(), 8);
        assert_eq!(plain_name("__gordian_outside_fopen"), "fopen");
        assert!(stores_inputs("sscanf") && stores_inputs("gettimeofday") && !stores_inputs("__VERIFIER_nondet_int"));
        assert_eq!(plain_name("setlocale"), "setlocale");
    }
}
