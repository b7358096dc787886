//! What every code and every property means, in a few sentences: for `gordian explain`, and as the help of SARIF rules.

use program::Property;

/// A code of a diagnostic or the name of a property, and what there is to say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// Paragraphs, with an empty line between.
    pub text: &'static str,
}

/// What is said about `code`, if there is such a code.
pub fn explanation(code: &str) -> Option<Explanation> {
    all().find(|explanation| explanation.code == code)
}

/// All of them: properties first, then codes of diagnostics in alphabetical order.
pub fn all() -> impl Iterator<Item = Explanation> {
    Property::ALL.into_iter().map(of_property).chain(DIAGNOSTICS)
}

/// What it means to violate a property.
pub fn of_property(property: Property) -> Explanation {
    let (title, text) = match property {
        Property::Assert => (
            "Assertion violation",
            "In some interleaving, with some input, the condition of an `assert` is false, or `__assert_fail` or \
             `__VERIFIER_error` is called.\n\nRead the trace from the bottom: which value does the condition read, and \
             which thread wrote it last?",
        ),
        Property::UnreachCall => (
            "reach_error() is called",
            "SV-COMP programs mark errors by a call: some execution calls `reach_error()`. A failing libc `assert` only \
             ends the process under this property; the property `assert` reports those.",
        ),
        Property::NoDataRace => (
            "Data race: unsynchronized accesses",
            "Two accesses to overlapping bytes, at least one of them a write and at least one not atomic, which \
             happens-before does not order: no lock that both hold, no create or join, no signal, barrier or semaphore between them. In C this \
             is undefined behaviour, whatever the values are.\n\nHold the same mutex around both accesses, or make the \
             variable `_Atomic`.",
        ),
        Property::NoDeadlock => (
            "Deadlock",
            "Either every thread that has not ended waits, or some threads wait for locks or ends of each other in a \
             circle. A thread that spins is not waiting.\n\nTake locks in the same order everywhere; do not wait for a \
             thread while holding a lock that it needs; test a condition in a loop under its mutex.",
        ),
        Property::ValidDeref => (
            "Invalid memory access",
            "A read or write through a null pointer, outside an object, of memory that was freed, or of a local variable \
             whose function has returned. Another thread may have freed it: see the trace.",
        ),
        Property::ValidFree => (
            "Invalid free",
            "`free` or `realloc` of something that is not the beginning of a living block from `malloc`: freed twice, a \
             pointer into a block, a local or global variable.",
        ),
        Property::ValidMemtrack => (
            "Memory leak: unreachable heap block",
            "The last pointer to a block from `malloc` is gone while the block has not been freed.",
        ),
        Property::ValidMemcleanup => (
            "Memory leak: heap block not freed at exit",
            "The process ends and a block from `malloc` has not been freed, even if something still points to it.",
        ),
        Property::NoOverflow => (
            "Signed integer overflow",
            "The result of signed integer arithmetic does not fit its type, which is undefined in C. Where this property \
             is not selected, such arithmetic wraps around.",
        ),
        Property::NoDivByZero => (
            "Division by zero",
            "The right operand of `/` or `%` is zero. Where this property is not selected, the execution ends there.",
        ),
        Property::NoBadShift => (
            "Shift count out of range",
            "The right operand of `<<` or `>>` is negative, or not less than the width of the left operand in bits.",
        ),
        Property::LockMisuse => (
            "Lock misuse",
            "Unlocking a mutex that the thread does not hold, destroying one that is held, waiting on a condition without \
             holding its mutex, joining a thread twice, and the like.",
        ),
        Property::NoThreadLeak => (
            "Thread leak: thread neither joined nor detached",
            "The process ends by returning from `main` while a thread has been neither joined nor detached.",
        ),
        Property::NoExitWhileLocked => (
            "The process exits while the thread holds a lock",
            "A thread calls `exit`, `_exit`, `_Exit` or `quick_exit`, or returns from `main`, and holds a mutex, a read-write \
             lock or a spin lock then. What the lock protects may be half done, and handlers of `atexit` that need the lock \
             never return. It does not help if such a handler releases the lock. Locks of other threads do not count, nor \
             does `abort`.",
        ),
        Property::Atomicity => (
            "Atomicity violation",
            "Another thread interferes between two accesses of a transaction, so that no order of whole transactions explains \
             what they see. Only `gordian predict` checks this property; transactions are named by `--atomic` or `--atomic-regions`.",
        ),
    };
    Explanation { code: property.name(), title, text }
}

const fn diagnostic(code: &'static str, title: &'static str, text: &'static str) -> Explanation {
    Explanation { code, title, text }
}

const DIAGNOSTICS: [Explanation; 34] = [
    diagnostic(
        "ambiguous-entry",
        "Several functions to start",
        "`--entry`, `--init` or `--thread` names a function that several files define, each for itself (`static`). Leave out files, \
         or name a function that calls the right one.",
    ),
    diagnostic(
        "arguments",
        "Argument mismatch in call",
        "The number or the types of the arguments do not match the function's declaration.",
    ),
    diagnostic("binary-file", "Binary file", "C source is expected. An object file or an archive cannot be read."),
    diagnostic(
        "configuration",
        "Invalid configuration",
        "`gordian.toml` or `compile_commands.json` cannot be read or has an unknown entry. `docs/guide/configuration.md` lists \
         all entries of `gordian.toml`.",
    ),
    diagnostic("const", "Assignment to a constant object", "An object that is declared `const` is assigned to."),
    diagnostic(
        "constant",
        "Constant expression required",
        "The size of a global array, a `case`, an enumerator and the like must be known at compile time.",
    ),
    diagnostic("file-too-large", "File too large", "The message names the size limit for source files."),
    diagnostic(
        "idle-stub",
        "Stub that is not used",
        "`--stub NAME` is for external functions of which nothing is known. One that the program defines or that Gordian \
         knows keeps its meaning.",
    ),
    diagnostic(
        "implicit-declaration",
        "Implicit function declaration",
        "It is assumed to return `int`, as in C89. Include the header that declares it.",
    ),
    diagnostic("implicit-int", "Missing type specifier", "It is assumed to be `int`, as in C89."),
    diagnostic(
        "initialiser",
        "Invalid initializer",
        "There are too many values, a value has the wrong type, or a designator names no member.",
    ),
    diagnostic(
        "is-directory",
        "Input is a directory",
        "Give C files, or a task definition; `gordian bench` takes directories.",
    ),
    diagnostic("lvalue", "Not an lvalue", "Only an object can be assigned to, or have its address taken."),
    diagnostic(
        "missing-header",
        "Header not found",
        "The compiler's preprocessor did not find a header. `-I DIR` adds a directory, as for the compiler.",
    ),
    diagnostic(
        "no-compiler",
        "No C compiler found",
        "`.c` files are preprocessed by the system's compiler. `$CC`, `cc`, `gcc` and `clang` are tried in this order. Files \
         that end in `.i` need none.",
    ),
    diagnostic(
        "no-entry",
        "No entry point (no function main)",
        "The program has no `main`, or no function of the given name. `--entry NAME` chooses another entry point; `--thread NAME` runs \
         functions as threads, for code without `main`.",
    ),
    diagnostic("no-file", "No such file", "The path does not exist, relative to the current directory."),
    diagnostic(
        "preprocessor",
        "Preprocessor error",
        "The message is the compiler's own. `gordian check -I DIR -D MACRO` passes options on.",
    ),
    diagnostic(
        "proof",
        "Invalid proof file",
        "`gordian validate` reads proof files that this version of Gordian has written with `check --proof`, about the same program. A \
         file that is damaged or cut off, or of a newer version, is refused: write it again.",
    ),
    diagnostic(
        "redefinition",
        "Conflicting or duplicate declaration",
        "A name has two definitions, or declarations with different types. All given files are linked into one program.",
    ),
    diagnostic("schedule", "Invalid schedule", "`gordian replay` reads what `--save-schedule` writes."),
    diagnostic("static-assert", "Static assertion failure", "The condition of a `_Static_assert` is zero."),
    diagnostic(
        "syntax",
        "Syntax error",
        "The text is not C11 with the GNU extensions that preprocessed files use. If your compiler accepts it, this is a \
         limit of Gordian: please report it.",
    ),
    diagnostic(
        "task",
        "Invalid task definition",
        "A file that ends in `.yml` is read as a task definition of SV-COMP, format 2.0, with `input_files` and `properties`.",
    ),
    diagnostic(
        "temporary-files",
        "Cannot write temporary files",
        "Gordian's own headers, such as `<stdatomic.h>`, are written to the directory for temporary files before a `.c` file is \
         preprocessed. `$TMPDIR` names another directory.",
    ),
    diagnostic(
        "too-complex",
        "Program nested too deeply",
        "Expressions, statements or types are nested so deeply that reading them would take too much memory.",
    ),
    diagnostic("too-large", "Program too large", "Some object or array is larger than any memory."),
    diagnostic(
        "type",
        "Type mismatch",
        "The operands of an operator, or both sides of an assignment, have types that C does not allow there.",
    ),
    diagnostic(
        "undeclared",
        "Undeclared identifier",
        "No variable, function, label or member of this name is visible there. Is a header missing?",
    ),
    diagnostic(
        "undefined-object",
        "Undefined variable",
        "A file declares it `extern`, but no file defines it. Give all files that belong to the program.",
    ),
    diagnostic(
        "unpreprocessed",
        "Preprocessor directives in a .i file",
        "Files that end in `.i` are taken as they are. Rename it to `.c` to have it preprocessed.",
    ),
    diagnostic("unreadable", "Unreadable file", "The operating system's reason is in the message."),
    diagnostic(
        "unsupported",
        "Unsupported construct",
        "An execution reaches a construct or an external function that Gordian does not model, so executions are \
         not analysed beyond that point. `--stub NAME` models an external function as one that returns any value and has \
         no side effects.",
    ),
    diagnostic(
        "witness",
        "Invalid witness",
        "`gordian validate` reads witnesses of SV-COMP: of violations, GraphML 1.0 and YAML with a `violation_sequence`; of \
         proofs, YAML with an `invariant_set`.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_explanation() {
        let mut codes: Vec<&str> = all().map(|explanation| explanation.code).collect();
        assert!(all().all(|explanation| !explanation.title.is_empty() && explanation.text.ends_with(['.', '?'])));
        assert!(DIAGNOSTICS.is_sorted_by_key(|explanation| explanation.code));
        codes.sort_unstable();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
        assert!(explanation("syntax").is_some() && explanation("no-data-race").is_some());
        assert!(explanation("beauty").is_none());
    }
}
