//! State inside the library that glibc documents as unprotected ("MT-Unsafe race"): two threads that use it at once have a
//! data race, although none of the program's own variables takes part.

#[derive(Clone, Copy, Debug)]
pub struct HiddenState {
    /// The name of the state, and of the object that stands for it in the front end.
    pub object: &'static str,
    /// What a report says instead.
    pub words: &'static str,
}

/// What functions without the lock of a stream use.
pub const STREAMS: &str = "__gordian_streams";

const STATES: [HiddenState; 13] = [
    state("__gordian_strtok_next", "the position that strtok() keeps (it is not thread-safe; use strtok_r())"),
    state("__gordian_error_text", "the text that strerror() returns (it is not thread-safe; use strerror_r())"),
    state("__gordian_signal_text", "the text that strsignal() returns (it is not thread-safe)"),
    state(
        "__gordian_broken_down",
        "the structure that localtime() and gmtime() return (they are not thread-safe; use localtime_r(), gmtime_r())",
    ),
    state(
        "__gordian_date_text",
        "the text that ctime() and asctime() return (they are not thread-safe; use ctime_r(), asctime_r())",
    ),
    state("__gordian_environment", "the environment (setenv() is not thread-safe beside getenv())"),
    state("__gordian_drand48", "the state of drand48() and relatives (they are not thread-safe; use drand48_r())"),
    state(STREAMS, "a standard stream (putchar_unlocked() and relatives do not lock it)"),
    state("__gordian_locale", "the locale (setlocale() is not thread-safe)"),
    state("__gordian_optarg", "optarg, which getopt() sets (it is not thread-safe)"),
    state("__gordian_optind", "optind, which getopt() sets (it is not thread-safe)"),
    state("__gordian_opterr", "opterr of getopt() (it is not thread-safe)"),
    state("__gordian_optopt", "optopt, which getopt() sets (it is not thread-safe)"),
];

const fn state(object: &'static str, words: &'static str) -> HiddenState {
    HiddenState { object, words }
}

pub fn hidden_states() -> &'static [HiddenState] {
    &STATES
}

/// How a report names the object of a model, if it is hidden state.
pub fn words_for(object: &str) -> Option<&'static str> {
    STATES.iter().find(|state| state.object == object).map(|state| state.words)
}
