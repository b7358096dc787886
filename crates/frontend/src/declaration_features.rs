//! What each attribute and pragma means to us, in three lists: implemented, known to change nothing that a verdict is
//! about, and the rest, which is unsupported wherever the declared thing is used.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeatureSupport {
    Implemented,
    Harmless,
    Unsupported,
}

/// Attributes that lowering obeys.
const IMPLEMENTED_ATTRIBUTES: [&str; 18] = [
    "alias",
    "aligned",
    "cleanup",
    "constructor",
    "destructor",
    "gnu_inline",
    "mode",
    "noreturn",
    "optimize",
    "packed",
    "target",
    "target_clones",
    "transparent_union",
    "unused",
    "vector_size",
    "weak",
    "weakref",
    "_Noreturn",
];

/// Attributes that advise, warn, place code or optimise, or that promise what a correct program keeps anyway.
const HARMLESS_ATTRIBUTES: &[&str] = &[
    "access",
    "acquire_capability",
    "acquired_after",
    "acquired_before",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assert_capability",
    "assume_aligned",
    "btf_decl_tag",
    "btf_type_tag",
    "capability",
    "cdecl",
    "clang",
    "cold",
    "common",
    "const",
    "counted_by",
    "deprecated",
    "designated_init",
    "disable_sanitizer_instrumentation",
    "dllexport",
    "dllimport",
    "enum_extensibility",
    "error",
    "exclusive_lock_function",
    "exclusive_locks_required",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "format",
    "format_arg",
    "gcc_struct",
    "guarded_by",
    "guarded_var",
    "hot",
    "leaf",
    "likely",
    "lock_returned",
    "lockable",
    "locks_excluded",
    "malloc",
    "may_alias",
    "maybe_unused",
    "minsize",
    "musttail",
    "no_caller_saved_registers",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "no_thread_safety_analysis",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodiscard",
    "noduplicate",
    "noescape",
    "noinit",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optnone",
    "patchable_function_entry",
    "pt_guarded_by",
    "pure",
    "regparm",
    "release_capability",
    "requires_capability",
    "retain",
    "returns_nonnull",
    "returns_twice",
    "scoped_lockable",
    "section",
    "sentinel",
    "shared_locks_required",
    "simd",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "symver",
    "sysv_abi",
    "tainted_args",
    "tls_model",
    "try_acquire_capability",
    "unavailable",
    "uninitialized",
    "unlikely",
    "unlock_function",
    "unsequenced",
    "reproducible",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// The name is written without the underscores around it.
pub fn attribute(name: &str) -> FeatureSupport {
    if IMPLEMENTED_ATTRIBUTES.contains(&name) {
        FeatureSupport::Implemented
    } else if HARMLESS_ATTRIBUTES.contains(&name) {
        FeatureSupport::Harmless
    } else {
        FeatureSupport::Unsupported
    }
}

/// The name in `#pragma weak name`. With a second name, `name = target`, it is an alias, which is not supported.
pub fn weak_name(pragma: &str) -> Option<&str> {
    let name = pragma.strip_prefix("weak")?.strip_prefix(char::is_whitespace)?.trim();
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(name)
}

/// The names in `#pragma weak name = target`: the first is another name for the second.
pub fn weak_alias(pragma: &str) -> Option<(&str, &str)> {
    let (name, target) = pragma.strip_prefix("weak")?.strip_prefix(char::is_whitespace)?.split_once('=')?;
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let (name, target) = (name.trim(), target.trim());
    (is_name(name) && is_name(target)).then_some((name, target))
}

/// The names in `#pragma redefine_extname name other`: the linker knows `name` by the other one.
pub fn linker_name(pragma: &str) -> Option<(&str, &str)> {
    let mut words = pragma.strip_prefix("redefine_extname")?.split_whitespace();
    let pair = (words.next()?, words.next()?);
    words.next().is_none().then_some(pair)
}

/// Statements of the assembler that place, describe or export what is defined elsewhere.
const HARMLESS_ASSEMBLY: [&str; 16] = [
    ".align",
    ".balign",
    ".data",
    ".file",
    ".global",
    ".globl",
    ".hidden",
    ".ident",
    ".p2align",
    ".popsection",
    ".previous",
    ".pushsection",
    ".section",
    ".size",
    ".symver",
    ".text",
];

/// An `asm` outside of functions, by its text: it may define anything that the program names.
pub fn assembly(text: &str) -> FeatureSupport {
    let mut statements = text.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty());
    let is_harmless = |statement: &str| {
        let word = statement.split_whitespace().next().unwrap_or_default();
        statement.starts_with('#') || HARMLESS_ASSEMBLY.contains(&word)
    };
    if statements.all(is_harmless) { FeatureSupport::Harmless } else { FeatureSupport::Unsupported }
}

/// Pragmas by their first word. Compilers ignore what they do not know; only what some compiler or option gives another
/// meaning to the program is unsupported.
pub fn pragma(text: &str) -> FeatureSupport {
    match text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default() {
        "pack" => FeatureSupport::Implemented,
        "omp" | "acc" | "weak" | "redefine_extname" | "scalar_storage_order" | "ms_struct" => {
            FeatureSupport::Unsupported
        }
        _ => FeatureSupport::Harmless,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_attribute_is_in_one_list() {
        assert!(IMPLEMENTED_ATTRIBUTES.iter().all(|name| !HARMLESS_ATTRIBUTES.contains(name)));
        assert_eq!(attribute("packed"), FeatureSupport::Implemented);
        assert_eq!(attribute("noinline"), FeatureSupport::Harmless);
        assert_eq!(attribute("ifunc"), FeatureSupport::Unsupported);
        assert_eq!(attribute("copy"), FeatureSupport::Unsupported);
        assert_eq!(attribute("never heard of"), FeatureSupport::Unsupported);
    }

    #[test]
    fn assembly_by_its_statements() {
        assert_eq!(assembly("  \n# nothing\n"), FeatureSupport::Harmless);
        assert_eq!(assembly(".section .note\n\t.previous"), FeatureSupport::Harmless);
        assert_eq!(assembly(".globl y; .set y, x"), FeatureSupport::Unsupported);
    }

    #[test]
    fn linker_names_come_in_pairs() {
        assert_eq!(linker_name("redefine_extname old new"), Some(("old", "new")));
        assert_eq!(linker_name("redefine_extname old"), None);
        assert_eq!(linker_name("pack(1)"), None);
    }

    #[test]
    fn pragmas_by_their_first_word() {
        assert_eq!(pragma("omp parallel for"), FeatureSupport::Unsupported);
        assert_eq!(pragma("pack(push, 1)"), FeatureSupport::Implemented);
        assert_eq!(pragma("GCC diagnostic pop"), FeatureSupport::Harmless);
    }
}
