//! Enormous programs and the whole binary, under limits of address space and of time on the processor: a verdict,
//! unknown or a diagnostic, never a crash.

use crate::support::{Answer, Folder};

/// Stacks of 512 MB are reserved, not used, for deep recursion; what is left is for the work.
const ADDRESS_SPACE_KB: u32 = 2_500_000;
const PROCESSOR_SECONDS: u32 = 30;

fn limited(folder: &Folder, arguments: &[&str]) -> Answer {
    let gordian = folder.command(&[]).get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    let script = format!("ulimit -v {ADDRESS_SPACE_KB}; ulimit -t {PROCESSOR_SECONDS}; exec \"$0\" \"$@\"");
    shell.arg("-c").arg(script).arg(gordian).args(arguments).current_dir(folder.path());
    Answer::from(shell.output().expect("a shell should start"))
}

#[test]
fn enormous_programs_are_answered_within_limits() {
    let many = |count: usize, piece: &dyn Fn(usize) -> String| (0..count).map(piece).collect::<String>();
    let include = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <pthread.h>\n";
    let in_main = |body: &str| format!("{include}int x, y;\nint main(void) {{ {body} return 0; }}\n");
    let calls = many(2_000, &|index| format!("int f{}(int a) {{ return f{index}(a); }}\n", index + 1));
    let programs = [
        ("endless allocation", in_main("for (;;) malloc(1000000);")),
        ("large allocation", in_main("char *p = malloc(4000000000); memset(p, 1, 4000000000);")),
        ("impossible allocation", in_main("char *p = malloc(-1); p[0] = 1;")),
        ("large global", format!("int a[1000000000] = {{1}};\n{}", in_main("x = a[7];"))),
        ("large local", in_main("int a[1000000000] = {1}; x = a[7];")),
        ("large copy", format!("char a[1000000000], b[1000000000];\n{}", in_main("memcpy(a, b, sizeof a);"))),
        (
            "large record",
            "struct S { int a[50000000]; } s;\nint main(void) { struct S t = s; return t.a[1]; }\n".to_owned(),
        ),
        ("large variable array", in_main("long n = 1L << 40; char a[n]; a[0] = 1;")),
        ("negative variable array", in_main("int n = -5; int a[n]; a[0] = 1;")),
        ("wide field", in_main("printf(\"%1000000000d%.1000000000f%*d\\n\", 1, 1.0, 2000000000, 1);")),
        ("endless loop", in_main("for (;;) x++;")),
        (
            "endless recursion",
            "int f(int a) { int b[1000]; b[0] = a; return f(b[0] + 1) + 1; }\nint main(void) { return f(1); }\n"
                .to_owned(),
        ),
        (
            "endless threads",
            format!(
                "{include}void *f(void *p) {{ return p; }}\nint main(void) {{ pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }}\n"
            ),
        ),
        ("chain of calls", format!("int f0(int a) {{ return a; }}\n{calls}int main(void) {{ return f2000(1); }}\n")),
        (
            "exponential calls",
            format!(
                "int f0(int a) {{ return a; }}\n{}int main(void) {{ return f50(1); }}\n",
                many(50, &|index| format!("int f{}(int a) {{ return f{index}(a) + f{index}(a); }}\n", index + 1))
            ),
        ),
        (
            "many cases",
            in_main(&format!("switch (x) {{ {} }}", many(3_000, &|index| format!("case {index}: y++; break; ")))),
        ),
        ("smallest number", in_main("int m = -2147483647 - 1, n = -1; x = m / n + m % n; x = m << (1LL << 62) >> -7;")),
    ];
    let folder = Folder::new();
    for (name, text) in programs {
        folder.write("a.c", text);
        for command in ["check", "run", "explore"] {
            let answer = limited(&folder, &[command, "a.c", "--timeout", "1s"]);
            assert!(matches!(answer.code, Some(0..=3)), "{command}, {name}: {answer:#?}");
        }
    }
}
