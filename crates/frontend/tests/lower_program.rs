//! What C constructs become in the IR, and which mistakes are told.

mod lower_support;

use frontend::{CompileOptions, Compiled, Stubs, compile_text};
use lower_support::{describe, well_formed};
use program::{
    Callee, Function, InstructionKind, MemoryOrder, NondetKind, Operand, Program, Property, SyncOp, TerminatorKind,
};

const PTHREAD: &str = "typedef unsigned long pthread_t; typedef struct { int x[10]; } pthread_mutex_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);\n\
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);\n";

fn lower_with(source: &str, options: &CompileOptions) -> Compiled {
    match compile_text("test.c", source, options) {
        Ok(compiled) => {
            well_formed(&compiled.program);
            compiled
        }
        Err(failure) => panic!("{}", describe(&failure)),
    }
}

fn lower(source: &str) -> Program {
    lower_with(source, &CompileOptions::default()).program
}

fn errors(source: &str) -> Vec<String> {
    match compile_text("test.c", source, &CompileOptions::default()) {
        Ok(compiled) => panic!("no error in {}", compiled.program),
        Err(failure) => {
            let errors = failure.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            errors.map(|d| format!("{}: {}", d.span.map_or(0, |span| span.line), d.message)).collect()
        }
    }
}

fn function<'a>(program: &'a Program, name: &str) -> &'a Function {
    &program.functions[program.function_named(name).expect("the function should be in the program")]
}

fn instructions<'a>(program: &'a Program, name: &str) -> Vec<&'a InstructionKind> {
    function(program, name).blocks.iter().flat_map(|block| &block.instructions).map(|i| &i.kind).collect()
}

#[test]
fn increment_of_a_global_is_a_load_and_a_store() {
    let program = lower("int x; int main(void) { x++; return 0; }");
    let kinds = instructions(&program, "main");
    assert!(matches!(
        kinds[..],
        [InstructionKind::Load { .. }, InstructionKind::Assign { .. }, InstructionKind::Store { .. }]
    ));
}

#[test]
fn increment_of_an_atomic_is_one_read_modify_write() {
    let program = lower("_Atomic int x; int main(void) { x++; x = 3; return x; }");
    let kinds = instructions(&program, "main");
    assert!(matches!(
        kinds[..],
        [
            InstructionKind::ReadModifyWrite { target: None, order: MemoryOrder::SequentiallyConsistent, .. },
            InstructionKind::Store { order: MemoryOrder::SequentiallyConsistent, .. },
            InstructionKind::Load { order: MemoryOrder::SequentiallyConsistent, .. },
        ]
    ));
}

#[test]
fn scalars_live_in_registers_unless_their_address_is_taken() {
    let program = lower("void f(int *p) { *p = 1; } int main(void) { int a = 1, b = 2; f(&b); return a + b; }");
    let main = function(&program, "main");
    let names: Vec<&str> = main.locals.iter().map(|local| local.name.as_str()).collect();
    assert_eq!(names, ["b"]);
}

#[test]
fn handles_of_threads_stay_in_registers() {
    let source = format!(
        "{PTHREAD} void *run(void *p) {{ return p; }}\n\
         int main(void) {{ pthread_t t; void *r; pthread_create(&t, 0, run, 0); pthread_join(t, &r); return r != 0; }}"
    );
    let program = lower(&source);
    assert!(function(&program, "main").locals.is_empty());
    let kinds = instructions(&program, "main");
    assert!(matches!(kinds[0], InstructionKind::Spawn { function: Callee::Direct(_), .. }));
    assert!(matches!(kinds[1], InstructionKind::Join { target: Some(_), error: Some(_), .. }));
}

#[test]
fn thread_functions_of_another_type_are_adapted() {
    let source = format!(
        "{PTHREAD} int x; void run() {{ x = 1; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, (void *(*)(void *))run, 0); return 0; }}"
    );
    let program = lower(&source);
    let kinds = instructions(&program, "main");
    let InstructionKind::Spawn { function: Callee::Direct(adapter), .. } = kinds[0] else { panic!("no spawn") };
    assert_eq!(program.functions[*adapter].parameters.len(), 1);
    assert!(program.functions[*adapter].built_in);
}

#[test]
fn mutex_functions_are_synchronisation_operations() {
    let source = format!(
        "{PTHREAD} pthread_mutex_t m; int main(void) {{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }}"
    );
    let program = lower(&source);
    let kinds = instructions(&program, "main");
    assert!(matches!(kinds[0], InstructionKind::Sync { op: SyncOp::MutexLock, target: None, .. }));
    assert!(matches!(kinds[1], InstructionKind::Sync { op: SyncOp::MutexUnlock, target: None, .. }));
}

#[test]
fn objects_end_on_every_way_out_of_their_scope() {
    let program = lower(
        "int f(int *p); int f(int *p) { return *p; }\n\
         int main(void) { for (int i = 0; i < 3; i++) { int a[2] = {1, i}; if (f(a)) break; if (i) continue;\n\
         if (a[1]) return 1; if (a[0]) goto out; } out: return 0; }",
    );
    let ends = instructions(&program, "main").iter().filter(|k| matches!(k, InstructionKind::End { .. })).count();
    let begins = instructions(&program, "main").iter().filter(|k| matches!(k, InstructionKind::Begin { .. })).count();
    assert_eq!((begins, ends), (1, 5));
}

#[test]
fn a_variable_read_before_it_is_written_is_indeterminate() {
    let count = |source: &str| {
        let program = lower(source);
        let kinds = instructions(&program, "main");
        let is_choice =
            |k: &&&InstructionKind| matches!(k, InstructionKind::Nondet { kind: NondetKind::Indeterminate, .. });
        kinds.iter().filter(is_choice).count()
    };
    assert_eq!(count("int main(void) { int x; x = 2; return x; }"), 0);
    assert_eq!(count("int main(int c) { int x; if (c) x = 1; return x; }"), 1);
    assert_eq!(count("int main(int c) { goto in; { int x; in: return x; } }"), 1);
}

#[test]
fn assertions_and_errors_name_their_property() {
    let program = lower(
        "void __assert_fail(const char *, const char *, unsigned, const char *); void reach_error(void) {}\n\
         int main(int c) { if (c) __assert_fail(\"c == 0\", \"f\", 1, \"main\"); reach_error(); return 0; }",
    );
    let asserts: Vec<(Property, &str)> = instructions(&program, "main")
        .into_iter()
        .filter_map(|kind| match kind {
            InstructionKind::Assert { property, message, .. } => Some((*property, message.as_str())),
            _ => None,
        })
        .collect();
    assert!(asserts.contains(&(Property::Assert, "assertion `c == 0` fails")));
    assert!(asserts.contains(&(Property::UnreachCall, "reach_error() is called")));
    let ends_abnormally = |kind: &TerminatorKind| matches!(kind, TerminatorKind::ProcessExit { abnormal: true, .. });
    assert!(function(&program, "main").blocks.iter().any(|block| ends_abnormally(&block.terminator.kind)));
}

#[test]
fn atomic_functions_are_atomic_sections() {
    let program = lower(
        "int x; void __VERIFIER_atomic_take(int c) { if (c) return; x = 1; } int main(void) { __VERIFIER_atomic_take(x); return 0; }",
    );
    let kinds = instructions(&program, "__VERIFIER_atomic_take");
    assert!(matches!(kinds[0], InstructionKind::AtomicBegin));
    assert_eq!(kinds.iter().filter(|kind| matches!(kind, InstructionKind::AtomicEnd)).count(), 2);
}

#[test]
fn unknown_functions_are_unsupported_unless_stubbed() {
    let source = "int mystery(int); int main(void) { return mystery(1); }";
    let program = lower(source);
    let kinds = instructions(&program, "main");
    assert!(matches!(kinds[0], InstructionKind::Unsupported { what } if what == "call of external function `mystery`"));

    let stubs = Stubs { all: false, names: vec!["mystery".to_owned()] };
    let compiled = lower_with(source, &CompileOptions { stubs, ..CompileOptions::default() });
    let kinds = instructions(&compiled.program, "main");
    assert!(matches!(kinds[0], InstructionKind::Nondet { kind: NondetKind::Input, .. }));
    assert_eq!(compiled.assumptions, ["`mystery` has no effect and returns any value"]);
}

#[test]
fn functions_can_be_run_as_threads() {
    let source = "int x; void init(void) { x = 1; } void a(void) { x++; } static void *b(void *p) { return p; }";
    let options = CompileOptions {
        init: Some("init".to_owned()),
        threads: vec!["a".to_owned(), "b".to_owned()],
        ..CompileOptions::default()
    };
    let program = lower_with(source, &options).program;
    let entry = &program.functions[program.entry];
    let kinds: Vec<&InstructionKind> = entry.blocks.iter().flat_map(|b| &b.instructions).map(|i| &i.kind).collect();
    assert!(matches!(
        kinds[..],
        [
            InstructionKind::Call { .. },
            InstructionKind::Spawn { .. },
            InstructionKind::Spawn { .. },
            InstructionKind::Join { .. },
            InstructionKind::Join { .. }
        ]
    ));
}

#[test]
fn unreachable_functions_and_objects_are_left_out() {
    let program = lower("int used, unused; static int f(void) { return unused; } int main(void) { return used; }");
    assert!(program.function_named("f").is_none());
    assert!(program.global_named("unused").is_none());
    assert!(program.global_named("used").is_some());
}

#[test]
fn unsupported_types_matter_only_where_they_are_computed_with() {
    let program =
        lower("long double a, b; int main(int c) { if (c) { a = b; return sizeof a; } return (int)(a + b); }");
    let kinds = instructions(&program, "main");
    let is_unsupported = |kind: &&&InstructionKind| matches!(kind, InstructionKind::Unsupported { .. });
    assert!(kinds.iter().any(|kind| matches!(kind, InstructionKind::CopyMemory { .. })));
    assert!(kinds.iter().filter(is_unsupported).count() >= 1);
}

#[test]
fn a_label_that_starts_a_thread_elsewhere_is_not_passed_over() {
    let program = lower("int f(void) { return 1; } int main(void) { __CPROVER_ASYNC_1: f(); return 0; }");
    let kinds = instructions(&program, "main");
    assert!(kinds.iter().any(|kind| matches!(kind, InstructionKind::Unsupported { .. })));
}

/// Copied piece by piece, they would seem to race.
#[test]
fn atomic_structures_are_accessed_as_a_whole() {
    for body in ["g = v;", "v = g;"] {
        let text =
            format!("struct s {{ int a, b; }}; _Atomic struct s g; int main(void) {{ struct s v; {body} return 0; }}");
        let program = lower(&text);
        let kinds = instructions(&program, "main");
        let is_atomic = |kind: &&InstructionKind| match kind {
            InstructionKind::Load { order, ty, .. } | InstructionKind::Store { order, ty, .. } => {
                *order == MemoryOrder::SequentiallyConsistent && *ty == program::Type::Int(64)
            }
            _ => false,
        };
        assert_eq!(kinds.iter().copied().filter(is_atomic).count(), 1, "{body}");
        assert!(!kinds.iter().any(|kind| matches!(kind, InstructionKind::CopyMemory { .. })), "{body}");
    }
}

#[test]
fn mistakes_are_told_with_their_lines() {
    let found = errors(
        "struct s { int a; };\nint f(int);\nint main(void) {\n struct s v;\n v.b = 1;\n nowhere = 2;\n f();\n v = 3;\n 5();\n goto lost;\n return *v.a;\n}",
    );
    assert_eq!(
        found,
        [
            "5: `struct s` has no member `b`",
            "6: `nowhere` is not declared",
            "7: too few arguments: 0 given, 1 needed",
            "8: `int` cannot be converted to `struct s`",
            "9: `int` is not a function and cannot be called",
            "11: `int` is not a pointer and cannot be dereferenced",
            "10: there is no label `lost`",
        ]
    );
}

#[test]
fn static_mistakes_are_errors() {
    assert_eq!(
        errors("int f(void); int x = f();\nint main(void) { return 0; }"),
        ["1: the initialiser of a static object must be constant"]
    );
    assert_eq!(
        errors("_Static_assert(sizeof(int) == 2, \"small\"); int main(void) { return 0; }"),
        ["1: static assertion failed: small"]
    );
    assert_eq!(errors("int x;"), ["0: no entry point: there is no function `main` with a body"]);
}

#[test]
fn several_files_link_by_name() {
    let directory = tempfile::tempdir().expect("a temporary directory should be available");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("the test program should be writable");
        path
    };
    let first = write(
        "a.i",
        "extern int shared; static int own = 1; int get(void); int main(void) { return shared + own + get(); }",
    );
    let second = write("b.i", "int shared = 5; static int own = 2; int get(void) { return own; }");
    let compiled = frontend::compile(&[first, second], &CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{}", describe(&failure))).program;
    well_formed(&program);
    assert_eq!(program.globals.iter().filter(|global| global.name == "own").count(), 2);
    assert_eq!(program.globals.iter().filter(|global| global.name == "shared").count(), 1);
}

fn linked(files: &[&str]) -> Program {
    let directory = tempfile::tempdir().expect("a temporary directory should be available");
    let write = |(index, text): (usize, &&str)| {
        let path = directory.path().join(format!("{index}.i"));
        std::fs::write(&path, text).expect("the test program should be writable");
        path
    };
    let paths: Vec<_> = files.iter().enumerate().map(write).collect();
    let compiled = frontend::compile(&paths, &CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{}", describe(&failure))).program;
    well_formed(&program);
    program
}

#[test]
fn weak_and_inline_definitions_yield_to_others() {
    let returned = |program: &Program| match function(program, "f").blocks.iter().next().map(|b| &b.terminator.kind) {
        Some(TerminatorKind::Return(Some(Operand::Int { value, .. }))) => *value,
        other => panic!("{other:?}"),
    };
    let main = "int f(void); int main(void) { return f(); }";
    let strong = "int f(void) { return 1; }";
    for yielding in [
        "__attribute__((weak)) int f(void) { return 2; }",
        "int f(void) __attribute__((weak)); int f(void) { return 2; }",
        "inline int f(void) { return 2; }",
    ] {
        assert_eq!(returned(&linked(&[main, yielding, strong])), 1, "{yielding}");
        assert_eq!(returned(&linked(&[strong, yielding, main])), 1, "{yielding}");
        assert_eq!(returned(&linked(&[yielding, main])), 2, "{yielding}");
    }
    let first = |program: &Program| {
        let global = program.globals.iter().find(|global| global.name == "v").expect("the global should be kept");
        global.initial.bytes.first().copied().unwrap_or(0)
    };
    let main = "extern int v; int main(void) { return v; }";
    let weak = "__attribute__((weak)) int v = 2;";
    for (strong, value) in [("int v = 7;", 7), ("int v;", 0)] {
        assert_eq!(first(&linked(&[main, weak, strong])), value, "{strong}");
        assert_eq!(first(&linked(&[strong, weak, main])), value, "{strong}");
    }
    assert_eq!(first(&linked(&[weak, main, "__attribute__((weak)) int v = 3;"])), 2);
}

#[test]
fn what_is_declared_twice_is_told() {
    let twice = "int main(int c, char **v) { switch (c) { case 1: return 1;\ncase 1: return 2; } return 0; }";
    assert_eq!(errors(twice), ["2: there are two `case` labels for this value"]);
    let range = "int main(int c, char **v) { switch (c) { case 1 ... 4: return 1;\ncase 3: return 2; } return 0; }";
    assert_eq!(errors(range), ["2: there are two `case` labels for this value"]);
    let enumerators = "enum a { A };\nenum b { A }; int main(void) { return A; }";
    assert_eq!(errors(enumerators), ["2: `A` conflicts with an earlier declaration"]);
    lower("enum a { A }; int main(void) { enum b { A = 3 }; return A; }");
    let array = "typedef int a[3];\na f(void); int main(void) { return 0; }";
    assert_eq!(errors(array), ["2: a function cannot return an array or a function"]);
}

#[test]
fn digits_may_be_separated() {
    let program = lower("_Static_assert(1'000'000 == 1000000, \"\"); int main(void) { return 0x1'0 - 0b1'0; }");
    let last = &function(&program, "main").blocks.iter().next().expect("a block").terminator.kind;
    assert!(matches!(last, TerminatorKind::Return(Some(Operand::Int { value: 14, .. }))), "{last:?}");
}

#[test]
fn weak_definitions_give_way() {
    let directory = tempfile::tempdir().expect("a temporary directory should be available");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("the test program should be writable");
        path
    };
    let weak = "__attribute__((weak)) int f(void) { return 1; } int v __attribute__((weak)) = 3;";
    let main = write("a.i", &format!("{weak} int main(void) {{ return f() + v; }}"));
    let other = write("b.i", weak);
    let strong = write("c.i", "int f(void) { return 2; } int v;");
    for (files, result, bytes) in [
        (vec![main.clone(), other.clone()], 1, vec![3, 0, 0, 0]),
        (vec![main.clone(), other.clone(), strong.clone()], 2, Vec::new()),
        (vec![strong, main, other], 2, Vec::new()),
    ] {
        let compiled = frontend::compile(&files, &CompileOptions::default());
        let program = compiled.unwrap_or_else(|failure| panic!("{}", describe(&failure))).program;
        well_formed(&program);
        let f = program.functions.iter().find(|function| function.name == "f").expect("f should be there");
        let returned = &f.blocks.iter().next().expect("f should have a block").terminator.kind;
        let expected = TerminatorKind::Return(Some(Operand::int(32, result)));
        assert_eq!(*returned, expected, "{files:?}");
        let v = program.globals.iter().find(|global| global.name == "v").expect("v should be there");
        assert_eq!(v.initial.bytes, bytes, "{files:?}");
    }
}

#[test]
fn objects_must_leave_half_of_the_address_space() {
    let ilp32 = CompileOptions { data_model: program::DataModel::Ilp32, ..CompileOptions::default() };
    for source in [
        "char x[0x80000000]; int main(void) { return x[0]; }",
        "struct { char a[0x7fffffff]; int b; } x; int main(void) { return x.b; }",
        "int main(int n, char **v) { char x[0x80000000]; x[n] = 1; return x[n]; }",
    ] {
        let failure = compile_text("test.c", source, &ilp32).expect_err("too large an object");
        assert!(describe(&failure).contains("half of the address space or more"), "{}", describe(&failure));
        lower(source);
    }
}

#[test]
fn a_main_with_odd_parameters_is_well_formed() {
    for text in ["int main(char *a, int b) { return b; }", "int main(int a, char **b, char **c, long d) { return 0; }"]
    {
        let compiled = compile_text("odd.c", text, &CompileOptions::default());
        let program = compiled.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program;
        assert_eq!(program::verify::verify(&program), [], "{text}");
    }
}

/// Each of these once made a program that its verifier rejects.
#[test]
fn mutants_that_were_lowered_wrongly() {
    lower("char *getenv(const char *); int main(void) { return getenv(\"A\") == 0; }");
    lower("int main(void) { return getenv(\"A\") == 0; }");
    lower("int once; int pthread_once(int *, void (*)(void)); int main(void) { return pthread_once(&once, once); }");
    let twice =
        |parameters: &str| errors(&format!("int f({parameters} {{ return a; }}\nint main(void) {{ return f(1, 2); }}"));
    assert_eq!(twice("int a, int a)"), ["1: the parameter `a` is declared twice"]);
    assert_eq!(twice("a, a) int a;"), ["1: the parameter `a` is declared twice"]);
}

#[test]
fn a_function_inside_a_function_hides_the_one_outside_and_is_unsupported_when_called() {
    let program = lower("int h(void) { return 1; } int main(void) { int h(void) { return 2; } return h(); }");
    let called = instructions(&program, "main").into_iter().find_map(|kind| match kind {
        InstructionKind::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
        _ => None,
    });
    let callee = &program.functions[called.expect("main should call something")];
    let first = &callee.blocks.iter().next().expect("a function should have a block").instructions[0].kind;
    let expected = "call of `h`, a function inside a function";
    assert!(matches!(first, InstructionKind::Unsupported { what } if what == expected), "{first:?}");
}

#[test]
fn creation_stores_the_handle_where_the_program_sees_it() {
    let stores =
        |kinds: &[&InstructionKind]| kinds.iter().filter(|k| matches!(k, InstructionKind::Store { .. })).count();
    let body = "void *f(void *p) { return p; } int main(void) { pthread_create(&t, 0, f, 0); return 0; }";
    let program = lower(&format!("{PTHREAD} pthread_t t; {body}"));
    let kinds = instructions(&program, "main");
    assert!(kinds.iter().any(|kind| matches!(kind, InstructionKind::Spawn { store: Some(_), .. })));
    assert_eq!(stores(&kinds), 0);
    let odd = "int pthread_create(int *, const void *, void *(*)(void *), void *);";
    let program = lower(&format!("{odd} int t; {body}"));
    let kinds = instructions(&program, "main");
    assert!(kinds.iter().any(|kind| matches!(kind, InstructionKind::Spawn { store: None, .. })));
    assert_eq!(stores(&kinds), 1, "a handle of another width is converted and stored afterwards");
}
