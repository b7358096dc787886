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
            "An assertion fails",
            "In some interleaving, with some input, the condition of an `assert` is false, or `__assert_fail` or \
             `__VERIFIER_error` is called.\n\nRead the trace from the bottom: which value does the condition read, and \
             which thread wrote it last?",
        ),
        Property::UnreachCall => (
            "reach_error() is called",
            "The competition's way to mark an error: some execution calls `reach_error()`. A failing libc `assert` just \
             ends the process here; look at `assert` for those.",
        ),
        Property::NoDataRace => (
            "Two threads access the same memory without order",
            "Two accesses to overlapping bytes, at least one of them a write and at least one not atomic, that nothing \
             orders: no lock that both hold, no create or join, no signal, barrier or semaphore between them. In C this \
             is undefined behaviour, whatever the values are.\n\nHold the same mutex around both accesses, or make the \
             variable `_Atomic`.",
        ),
        Property::NoDeadlock => (
            "Threads wait for each other for ever",
            "Either every thread that has not ended waits, or some threads wait for locks or ends of each other in a \
             circle. A thread that spins is not waiting.\n\nTake locks in the same order everywhere; do not wait for a \
             thread while holding a lock that it needs; test a condition in a loop under its mutex.",
        ),
        Property::ValidDeref => (
            "An invalid memory access",
            "A read or write through a null pointer, outside an object, of memory that was freed, or of a local variable \
             whose function has returned. Another thread may have freed it: see the trace.",
        ),
        Property::ValidFree => (
            "An invalid free",
            "`free` or `realloc` of something that is not the beginning of a living block from `malloc`: freed twice, a \
             pointer into a block, a local or global variable.",
        ),
        Property::ValidMemtrack => (
            "Allocated memory is lost",
            "The last pointer to a block from `malloc` is gone while the block has not been freed.",
        ),
        Property::ValidMemcleanup => (
            "Memory is not freed at exit",
            "The process ends and a block from `malloc` has not been freed, even if something still points to it.",
        ),
        Property::NoOverflow => (
            "Signed arithmetic overflows",
            "The result of signed integer arithmetic does not fit its type, which is undefined in C. Where this property \
             is not selected, such arithmetic wraps around.",
        ),
        Property::NoDivByZero => (
            "A division by zero",
            "The right operand of `/` or `%` is zero. Where this property is not selected, the execution ends there.",
        ),
        Property::NoBadShift => (
            "A shift by too much",
            "The right operand of `<<` or `>>` is negative or not less than the number of bits of the left one.",
        ),
        Property::LockMisuse => (
            "A lock is misused",
            "Unlocking a mutex that the thread does not hold, destroying one that is held, waiting on a condition without \
             holding its mutex, joining a thread twice, and the like.",
        ),
        Property::NoThreadLeak => (
            "A thread is neither joined nor detached",
            "The process ends by returning from `main` while a thread has been neither joined nor detached.",
        ),
        Property::Atomicity => (
            "A transaction is interrupted in a way that shows",
            "Another thread comes between two accesses of a transaction, so that no order of whole transactions explains \
             what they see. Only `gordian predict` looks for it; transactions are named by `--atomic` or `--atomic-regions`.",
        ),
    };
    Explanation { code: property.name(), title, text }
}

const fn diagnostic(code: &'static str, title: &'static str, text: &'static str) -> Explanation {
    Explanation { code, title, text }
}

const DIAGNOSTICS: [Explanation; 31] = [
    diagnostic(
        "arguments",
        "A function is called with other arguments",
        "The number or the types of the arguments do not fit the function's declaration.",
    ),
    diagnostic(
        "binary-file",
        "The file is not text",
        "C source is expected. An object file or an archive cannot be read.",
    ),
    diagnostic(
        "configuration",
        "The configuration cannot be used",
        "`gordian.toml` or `compile_commands.json` cannot be read or says something unknown. `docs/guide/configuration.md` \
         lists all that `gordian.toml` can say.",
    ),
    diagnostic("const", "Something constant is written", "An object that is declared `const` is assigned to."),
    diagnostic(
        "constant",
        "A constant expression is needed",
        "The size of a global array, a `case`, an enumerator and the like must be known while compiling.",
    ),
    diagnostic(
        "file-too-large",
        "The file is too large",
        "No source file may be larger than the limit that the message says.",
    ),
    diagnostic(
        "implicit-declaration",
        "A function is called and not declared",
        "It is taken to return `int`, as old C did. Include the header that declares it.",
    ),
    diagnostic("implicit-int", "A type is missing", "It is taken to be `int`, as old C did."),
    diagnostic(
        "initialiser",
        "An initialiser does not fit",
        "There are too many values, one has another type, or a designator names nothing.",
    ),
    diagnostic(
        "is-directory",
        "A directory was given",
        "Give C files, or a task definition; `gordian bench` takes directories.",
    ),
    diagnostic("lvalue", "This cannot be assigned to", "Only an object can be assigned to, or have its address taken."),
    diagnostic(
        "missing-header",
        "An #include was not found",
        "The compiler's preprocessor did not find a header. `-I DIR` adds a directory, as for the compiler.",
    ),
    diagnostic(
        "no-compiler",
        "There is no C compiler",
        "`.c` files are preprocessed by the system's compiler. `$CC`, `cc`, `gcc` and `clang` are tried in this order. Files \
         that end in `.i` need none.",
    ),
    diagnostic(
        "no-entry",
        "There is nothing to begin with",
        "The program has no `main`, or no function of the given name. `--entry NAME` begins elsewhere; `--thread NAME` runs \
         functions as threads, for code without `main`.",
    ),
    diagnostic("no-file", "There is no such file", "Nothing has this path, seen from the current directory."),
    diagnostic(
        "preprocessor",
        "The preprocessor reports an error",
        "The message is the compiler's own. `gordian check -I DIR -D MACRO` passes options on.",
    ),
    diagnostic(
        "redefinition",
        "Something is defined or declared twice",
        "Two definitions of one name, or declarations of it with different types. Several files are one program here.",
    ),
    diagnostic("schedule", "The schedule cannot be used", "`gordian replay` reads what `--save-schedule` writes."),
    diagnostic("static-assert", "A static assertion fails", "The condition of a `_Static_assert` is zero."),
    diagnostic(
        "syntax",
        "This is not C as Gordian knows it",
        "The text is not C11 with the GNU extensions that preprocessed files use. If your compiler accepts it, this is a \
         limit of Gordian: please report it.",
    ),
    diagnostic(
        "task",
        "The task definition cannot be used",
        "A file that ends in `.yml` is read as a task definition of SV-COMP, format 2.0, with `input_files` and `properties`.",
    ),
    diagnostic(
        "temporary-files",
        "No temporary file can be written",
        "Headers of our own, such as `<stdatomic.h>`, are written to the directory for temporary files before a `.c` file is \
         preprocessed. `$TMPDIR` names another directory.",
    ),
    diagnostic(
        "too-complex",
        "The program is nested too deeply",
        "Expressions, statements or types are nested so deeply that reading them would take too much memory.",
    ),
    diagnostic("too-large", "The program is too large", "Some object or array is larger than any memory."),
    diagnostic(
        "type",
        "The types do not fit",
        "The operands of an operator, or both sides of an assignment, have types that C does not allow there.",
    ),
    diagnostic(
        "undeclared",
        "A name is not declared",
        "No variable, function, label or member of this name is visible there. Is a header missing?",
    ),
    diagnostic(
        "undefined-object",
        "A variable is declared and never defined",
        "Some file says `extern` and none defines it. Give all files that belong to the program.",
    ),
    diagnostic(
        "unpreprocessed",
        "A .i file has preprocessor directives",
        "Files that end in `.i` are taken as they are. Rename it to `.c` to have it preprocessed.",
    ),
    diagnostic("unreadable", "The file cannot be read", "The operating system's reason is in the message."),
    diagnostic(
        "unsupported",
        "Something is not supported",
        "An execution reaches a construct or an external function that Gordian does not model, so nothing is said about \
         what lies beyond. `--stub NAME` lets an unknown function return anything and do nothing else.",
    ),
    diagnostic(
        "witness",
        "The witness cannot be used",
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
