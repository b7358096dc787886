//! What this binary is made of.

use std::sync::LazyLock;

/// The version of the tool, as reports say it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// With the commit it was built from, if that is known, and the solver inside.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(describe);
    &LONG
}

fn describe() -> String {
    let commit = match env!("GORDIAN_COMMIT") {
        "" => String::new(),
        commit => format!("commit {commit}, "),
    };
    format!("{VERSION} ({commit}solver {})", solve::solver_name())
}
