//! What each option of a compiler that begins with `-f` or `-m` means to us, in three lists: handed on, since the preprocessor
//! or the front end must know it; known to change nothing that a verdict is about; and the rest, which is refused, since the
//! program would mean something else.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionSupport {
    /// The preprocessor defines macros by it, or the front end obeys it.
    HandedOn,
    Harmless,
    Unsupported,
}

/// Code generation options by which macros are defined or that the front end knows, without `-f` and `no-`.
const HANDED_ON: &[&str] = &[
    "PIC",
    "PIE",
    "asm",
    "associative-math",
    "cf-protection",
    "dollars-in-identifiers",
    "exceptions",
    "extended-identifiers",
    "fast-math",
    "finite-math-only",
    "freestanding",
    "gnu89-inline",
    "hosted",
    "input-charset",
    "ms-extensions",
    "non-call-exceptions",
    "pic",
    "pie",
    "plan9-extensions",
    "reciprocal-math",
    "rounding-math",
    "signaling-nans",
    "signed-zeros",
    "stack-protector",
    "stack-protector-all",
    "stack-protector-explicit",
    "stack-protector-strong",
    "strict-overflow",
    "unsafe-math-optimizations",
    "wrapv",
];

/// Sanitizers for which macros are defined.
const SANITIZERS: [&str; 4] = ["address", "hwaddress", "thread", "undefined"];

/// Families of options that optimise, report, place code or guard against attacks.
const HARMLESS_FAMILIES: &[&str] = &[
    "align-",
    "analyzer",
    "asan-",
    "branch-",
    "btf-",
    "builtin-",
    "callgraph-",
    "check-",
    "compare-",
    "crash-",
    "cse-",
    "debug-",
    "devirtualize",
    "diagnostics-",
    "disable-",
    "dump-",
    "eliminate-",
    "emit-",
    "enable-",
    "gcse",
    "graphite",
    "harden-",
    "if-conversion",
    "inline",
    "ipa-",
    "ira-",
    "isolate-",
    "loop-",
    "lto",
    "mem-report",
    "modulo-",
    "opt-info",
    "optimize-",
    "profile",
    "reorder-",
    "sanitize-",
    "sched",
    "sel-sched",
    "split-",
    "stack-check",
    "stack-clash-",
    "stack-limit",
    "stack-reuse",
    "stack-usage",
    "tree-",
    "unroll-",
    "var-tracking",
];

/// Single options of that kind; those of Clang, too.
const HARMLESS: &[&str] = &[
    "abi-version",
    "addrsig",
    "aggressive-loop-optimizations",
    "allocation-dce",
    "allow-store-data-races",
    "ansi-escape-codes",
    "asynchronous-unwind-tables",
    "auto-inc-dec",
    "auto-profile",
    "bit-tests",
    "build-session-timestamp",
    "builtin",
    "caller-saves",
    "canonical-system-headers",
    "caret-diagnostics",
    "code-hoisting",
    "color-diagnostics",
    "combine-stack-adjustments",
    "common",
    "cond-mismatch",
    "conserve-stack",
    "convergent-functions",
    "coverage-compilation-dir",
    "coverage-mapping",
    "coverage-prefix-map",
    "cprop-registers",
    "crossjumping",
    "cx-fortran-rules",
    "cx-limited-range",
    "data-sections",
    "dbg-cnt",
    "dce",
    "defer-pop",
    "delayed-branch",
    "delete-dead-exceptions",
    "delete-null-pointer-checks",
    "dse",
    "dwarf2-cfi-asm",
    "early-inlining",
    "excess-precision",
    "expensive-optimizations",
    "experimental-new-pass-manager",
    "fat-lto-objects",
    "file-compilation-dir",
    "file-prefix-map",
    "finite-loops",
    "float-store",
    "fold-simple-inlines",
    "force-addr",
    "forward-propagate",
    "fp-int-builtin-inexact",
    "function-cse",
    "function-sections",
    "global-isel",
    "gnu-unique",
    "guess-branch-probability",
    "hoist-adjacent-loads",
    "ident",
    "indirect-inlining",
    "inhibit-size-directive",
    "integrated-as",
    "integrated-cc1",
    "ivopts",
    "jump-tables",
    "keep-inline-functions",
    "keep-static-consts",
    "keep-static-functions",
    "large-source-files",
    "lax-vector-conversions",
    "limit-debug-info",
    "live-patching",
    "live-range-shrinkage",
    "lra-remat",
    "macro-backtrace-limit",
    "macro-prefix-map",
    "max-errors",
    "max-include-depth",
    "merge-constants",
    "merge-debug-strings",
    "message-length",
    "min-function-alignment",
    "move-loop-invariants",
    "move-loop-stores",
    "omit-frame-pointer",
    "openmp-simd",
    "partial-inlining",
    "patchable-function-entry",
    "pcc-struct-return",
    "pch-deps",
    "peel-loops",
    "peephole",
    "peephole2",
    "plt",
    "predictive-commoning",
    "prefetch-loop-arrays",
    "printf-return-value",
    "random-seed",
    "record-command-line",
    "record-gcc-switches",
    "ree",
    "rename-registers",
    "rerun-cse-after-loop",
    "reschedule-modulo-scheduled-loops",
    "save-optimization-record",
    "schedule-fusion",
    "section-anchors",
    "semantic-interposition",
    "show-column",
    "show-source-location",
    "shrink-wrap",
    "shrink-wrap-separate",
    "signed-bitfields",
    "signed-char",
    "spell-checking",
    "ssa-backprop",
    "ssa-phiopt",
    "standalone-debug",
    "stdarg-opt",
    "store-merging",
    "strict-aliasing",
    "strict-enums",
    "strict-flex-arrays",
    "strict-return",
    "strict-volatile-bitfields",
    "sync-libcalls",
    "syntax-only",
    "tabstop",
    "test-coverage",
    "thread-jumps",
    "time-report",
    "time-trace",
    "tls-model",
    "toplevel-reorder",
    "tracer",
    "track-macro-expansion",
    "trampolines",
    "trapping-math",
    "unique-section-names",
    "unit-at-a-time",
    "unsafe-loop-optimizations",
    "unswitch-loops",
    "unwind-tables",
    "use-init-array",
    "use-ld",
    "use-line-directives",
    "use-linker-plugin",
    "variable-expansion-in-unroller",
    "vect-cost-model",
    "vectorize",
    "verbose-asm",
    "version-loops-for-strides",
    "visibility",
    "vpt",
    "web",
    "whole-program",
    "working-directory",
    "wrapv-pointer",
    "xray-instrument",
    "zero-call-used-regs",
    "zero-initialized-in-bss",
];

/// Only one way round are these harmless: written as they are, with `-f`.
const HARMLESS_ONE_WAY: &[&str] = &[
    "ffp-contract=off",
    "ffp-contract=on",
    "fmath-errno",
    "fno-merge-all-constants",
    "fno-openmp",
    "fno-pack-struct",
    "fno-short-enums",
    "fno-trapv",
    "fno-unsigned-char",
    "ftrivial-auto-var-init=uninitialized",
];
/// Written without `no-`, these are the defaults; with it they are not.
const DEFAULTS: [&str; 2] = ["signed-bitfields", "signed-char"];

/// Machine options that change sizes, layouts or arithmetic.
const UNSUPPORTED_MACHINE: &[&str] = &[
    "-m16",
    "-m96bit-long-double",
    "-mabi=ms",
    "-malign-double",
    "-mdaz-ftz",
    "-miamcu",
    "-mlong-double-128",
    "-mlong-double-64",
    "-mms-bitfields",
    "-mno-ieee-fp",
    "-mpc32",
    "-mpc64",
    "-mx32",
];

/// Machine options that say how code is made, and define no macro.
const HARMLESS_MACHINE: &[&str] = &[
    "-m128bit-long-double",
    "-m32",
    "-m64",
    "-mabi=sysv",
    "-masm=",
    "-mcmodel=",
    "-mcpu=",
    "-mfentry",
    "-mfunction-return=",
    "-mharden-sls=",
    "-mindirect-branch-",
    "-mindirect-branch=",
    "-mllvm",
    "-mlong-double-80",
    "-mno-implicit-float",
    "-mno-omit-leaf-frame-pointer",
    "-mno-red-zone",
    "-mno-retpoline",
    "-mno-tls-direct-seg-refs",
    "-momit-leaf-frame-pointer",
    "-mpreferred-stack-boundary=",
    "-mrecord-mcount",
    "-mretpoline",
    "-mretpoline-",
    "-mskip-rax-setup",
    "-mstack-",
    "-mstackrealign",
    "-mtls-dialect=",
    "-mtune=",
];

/// The meaning of a word that begins with `-f` or `-m`. With 32 bits, `long double` has another size by default.
pub fn meaning(word: &str, is_ilp32: bool) -> OptionSupport {
    match word.strip_prefix("-f") {
        Some(option) => code_generation(option),
        None if is_ilp32 && word == "-m128bit-long-double" => OptionSupport::Unsupported,
        None if UNSUPPORTED_MACHINE.contains(&word) => OptionSupport::Unsupported,
        // The other unit computes with more digits.
        None if word.starts_with("-mfpmath=") && word != "-mfpmath=sse" => OptionSupport::Unsupported,
        None if HARMLESS_MACHINE.iter().any(|known| is_named(word, known)) => OptionSupport::Harmless,
        // Instruction sets and their like: there is a macro for each of them.
        None => OptionSupport::HandedOn,
    }
}

/// An option with a value is listed with its `=`, a family with its `-`.
fn is_named(word: &str, known: &str) -> bool {
    word == known || known.ends_with(['=', '-']) && word.starts_with(known)
}

fn code_generation(option: &str) -> OptionSupport {
    if HARMLESS_ONE_WAY.iter().any(|known| known[1..] == *option) {
        return OptionSupport::Harmless;
    }
    let sanitizers = option.strip_prefix("sanitize=").or_else(|| option.strip_prefix("no-sanitize="));
    if let Some(sanitizers) = sanitizers {
        let is_known = |sanitizer| SANITIZERS.contains(&sanitizer) || sanitizer == "all" && option.starts_with("no-");
        let has_macros = sanitizers.split(',').all(is_known);
        return if has_macros { OptionSupport::HandedOn } else { OptionSupport::Harmless };
    }
    let positive = option.strip_prefix("no-");
    let name = positive.unwrap_or(option).split('=').next().unwrap_or_default();
    if positive.is_some() && DEFAULTS.contains(&name) {
        OptionSupport::Unsupported
    } else if HANDED_ON.contains(&name) {
        OptionSupport::HandedOn
    } else if HARMLESS.contains(&name) || is_of_a_family(name) {
        OptionSupport::Harmless
    } else {
        OptionSupport::Unsupported
    }
}

fn is_of_a_family(name: &str) -> bool {
    HARMLESS_FAMILIES.iter().any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_options_go_on_working() {
        let words = "-fPIC -fstack-protector-strong -fno-strict-aliasing -fvisibility=hidden -march=native -mtune=generic \
                     -fno-omit-frame-pointer -fdiagnostics-color=always -fno-common -ffunction-sections -fno-plt \
                     -fstack-clash-protection -fcf-protection -fsanitize=address,undefined -fno-delete-null-pointer-checks \
                     -fprofile-arcs -ftest-coverage -mcmodel=kernel -mno-red-zone -mavx2 -flto=auto -fno-semantic-interposition \
                     -fdebug-prefix-map=/a=/b -ffile-prefix-map=/a=/b -fcolor-diagnostics -fno-builtin -ftree-vectorize -fno-sanitize=all \
                     -fno-sanitize=function -fno-builtin-malloc";
        for word in words.split_whitespace() {
            assert_ne!(meaning(word, false), OptionSupport::Unsupported, "{word}");
        }
    }

    #[test]
    fn options_with_macros_are_handed_on() {
        for word in ["-fPIC", "-mavx2", "-march=native", "-ffast-math", "-fsanitize=thread", "-mno-sse"] {
            assert_eq!(meaning(word, false), OptionSupport::HandedOn, "{word}");
        }
    }

    #[test]
    fn options_with_another_meaning_are_refused() {
        let words = "-fopenmp -fpack-struct=2 -fshort-enums -funsigned-char -fno-signed-char -ftrapv -fsso-struct=big-endian \
                     -fsingle-precision-constant -ftrivial-auto-var-init=zero -fno-math-errno -finstrument-functions \
                     -malign-double -mlong-double-64 -mx32 -fnever-heard-of -fmerge-all-constants -mfpmath=387 -mfpmath=sse+387 \
                     -mno-ieee-fp";
        for word in words.split_whitespace() {
            assert_eq!(meaning(word, false), OptionSupport::Unsupported, "{word}");
        }
        assert_eq!(meaning("-m128bit-long-double", true), OptionSupport::Unsupported);
        assert_eq!(meaning("-fsigned-char", false), OptionSupport::Harmless);
        assert_eq!(meaning("-fno-merge-all-constants", false), OptionSupport::Harmless);
    }

    #[test]
    fn each_option_is_in_one_list() {
        assert!(HANDED_ON.iter().all(|name| !HARMLESS.contains(name) && !is_of_a_family(name)));
    }
}
