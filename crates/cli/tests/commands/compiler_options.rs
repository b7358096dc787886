//! Options of a compilation database that change the meaning of a program.

use crate::support::{Answer, Folder};

/// Checks a program whose files are compiled with these options.
fn check(files: &[(&str, &str, &str)]) -> Answer {
    let folder = Folder::new();
    let directory = folder.path().display();
    folder.write("given.h", "#define GIVEN 1\n");
    let entries = files.iter().map(|(name, options, text)| {
        folder.write(name, text);
        format!("{{\"directory\": \"{directory}\", \"file\": \"{name}\", \"command\": \"cc {options} -c {name}\"}}")
    });
    let entries: Vec<String> = entries.collect();
    folder.write("compile_commands.json", format!("[{}]", entries.join(", ")));
    folder.gordian(&["check", "--compile-commands", "compile_commands.json", "-p", "assert"])
}

/// One file, in which a condition of the preprocessor makes an assertion fail.
fn fails_if(condition: &str, options: &str) -> Answer {
    let text = format!("#include <assert.h>\nint main(void) {{\n#if {condition}\nassert(0);\n#endif\nreturn 0; }}\n");
    check(&[("a.c", options, &text)])
}

#[test]
fn macros_of_the_compiler_are_those_of_its_options() {
    for (condition, options) in [
        ("defined __OPTIMIZE__", "-O2 -g -Wall"),
        ("defined __AVX2__", "-mavx2"),
        ("__PIC__ == 1", "-fpic -fvisibility=hidden -fno-strict-aliasing"),
        ("defined __SSP_STRONG__", "-fstack-protector-strong"),
        ("defined __FAST_MATH__", "-ffast-math"),
        ("__STDC_VERSION__ < 199901L", "--std=c90"),
    ] {
        fails_if(condition, options).exits(1);
        fails_if(condition, "-std=gnu17").exits(0);
    }
}

#[test]
fn options_of_the_preprocessor_have_many_forms() {
    for options in [
        "-Wp,-DGIVEN",
        "-Wp,-D,GIVEN",
        "-Wp,-include,given.h",
        "-Xpreprocessor -include -Xpreprocessor given.h",
        "--define-macro=GIVEN",
        "--define-macro GIVEN",
        "--include=given.h",
        "--include given.h",
    ] {
        fails_if("defined GIVEN", options).exits(1);
    }
}

#[test]
fn options_that_give_another_meaning_are_refused() {
    for option in [
        "-fsingle-precision-constant",
        "-malign-double",
        "-mlong-double-64",
        "-fsso-struct=big-endian",
        "-ftrivial-auto-var-init=zero",
        "-fnever-heard-of",
    ] {
        fails_if("0", option).exits(2).remarks(option);
    }
    fails_if("0", "-O2 -march=native -fno-plt -pipe -fdiagnostics-color=always -fsanitize=address").exits(0);
}

/// Headers of the C library look different where the compiler optimises.
#[test]
fn library_is_the_same_where_the_compiler_optimises() {
    let text = "#include <assert.h>\n#include <ctype.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
                #include <string.h>\nint n;\nvoid *run(void *p) { char s[8]; strcpy(s, \"3\"); n += atoi(s); \
                printf(\"%s%c\", s, toupper('a')); return 0; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); assert(n == 3); return 0; }\n";
    for options in ["-O0", "-O2 -D_FORTIFY_SOURCE=2", "-Os -fexceptions -fstack-protector-strong -march=native"] {
        check(&[("a.c", options, text)]).exits(0);
    }
}

#[test]
fn keywords_are_those_of_the_standard() {
    let gnu = "#include <assert.h>\nint main(void) { int asm = 3, typeof = 4; assert(asm + typeof == 7); return 0; }\n";
    check(&[("a.c", "-std=c99", gnu)]).exits(0);
    check(&[("a.c", "-std=gnu99", gnu)]).exits(2);
    let old = "#include <assert.h>\nint main(void) { int inline = 3; assert(inline == 3); return 0; }\n";
    check(&[("a.c", "-ansi", old)]).exits(0);
    check(&[("a.c", "-std=c99", old)]).exits(2);
}

#[test]
fn anonymous_members_with_a_tag_are_an_extension() {
    let text = "#include <assert.h>\nstruct a { int x; };\nstruct b { struct a; int y; };\n\
                int main(void) { assert(sizeof(struct b) == 8); return 0; }\n";
    check(&[("a.c", "-fms-extensions", text)]).exits(0);
    check(&[("a.c", "", text)]).exits(1);
}

#[test]
fn fast_arithmetic_is_not_that_of_ieee_754() {
    let text = "#include <assert.h>\nint main(void) { volatile double d = 0.1; assert(d + 0.2 > 0.3); return 0; }\n";
    check(&[("a.c", "-O2", text)]).exits(0);
    check(&[("a.c", "-Ofast", text)]).exits(3).says("-ffast-math");
    check(&[("a.c", "-ffast-math", "int main(void) { return 0; }\n")]).exits(0);
}

#[test]
fn unwinding_calls_clean_up_functions() {
    let text = "#include <assert.h>\n#include <pthread.h>\nvoid leave(int *p) { assert(0); }\n\
                void *run(void *p) { int x __attribute__((cleanup(leave))) = 1; pthread_exit(0); }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }\n";
    check(&[("a.c", "-fexceptions", text)]).exits(3).says("cleanup");
    check(&[("a.c", "-O1", text)]).exits(0);
}

#[test]
fn inline_definition_may_be_called_instead_of_the_external_one() {
    let main =
        "#include <assert.h>\ninline int f(void) { return 1; }\nint main(void) { assert(f() == 1); return 0; }\n";
    check(&[("a.c", "", main), ("b.c", "", "int f(void) { return 2; }\n")]).exits(3).says("inline definition");
    // The same in both files, and one that only the other file has.
    check(&[("a.c", "", main), ("b.c", "", "extern inline int f(void) { return 1; }\n")]).exits(0);
    let caller = "#include <assert.h>\nint f(void) { return 2; }\nint main(void) { assert(f() == 2); return 0; }\n";
    let inline = "extern inline int f(void) { return 1; }\nint g(void) { return 0; }\n";
    check(&[("a.c", "-std=gnu89", caller), ("b.c", "-std=gnu89", inline)]).exits(0);
}

#[test]
fn constants_that_are_merged_are_refused() {
    fails_if("0", "-O2 -fmerge-all-constants").exits(2).remarks("-fmerge-all-constants");
    fails_if("0", "-O2 -fmerge-constants -fno-merge-all-constants").exits(0);
}

/// One file, with an entry for each of the commands.
fn check_entries(folder: &Folder, text: &str, commands: &[&str]) -> Answer {
    folder.write("a.c", text);
    let directory = folder.path().display();
    let entry = |command: &&str| {
        format!("{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"{command} -c a.c\"}}")
    };
    let entries: Vec<String> = commands.iter().map(entry).collect();
    folder.write("compile_commands.json", format!("[{}]", entries.join(", ")));
    folder.gordian(&["check", "--compile-commands", "compile_commands.json", "-p", "assert"])
}

#[test]
fn files_of_options_are_read() {
    let text = "#include <assert.h>\n#include <string.h>\n\
                int main(void) { assert(ONE + TWO == 3 && sizeof(TEXT) == 4); return 0; }\n";
    let folder = Folder::new();
    folder.write("options.txt", "-DONE=1 '-DTEXT=\\\"a b\\\"'\n@more.txt -O2\n");
    folder.write("more.txt", "-DTWO=2");
    check_entries(&folder, text, &["cc @options.txt"]).exits(0);
    check_entries(&folder, text, &["cc @options.txt -UTWO -DTWO=3"]).exits(1);
    check_entries(&folder, text, &["cc @missing.txt"]).exits(2).remarks("@missing.txt");
    folder.write("more.txt", "-DTWO=2 -funsigned-char");
    check_entries(&folder, text, &["cc @options.txt"]).exits(2).remarks("-funsigned-char");
}

#[test]
fn file_with_several_entries_needs_a_choice() {
    let text = "int main(void) { return 0; }\n";
    check_entries(&Folder::new(), text, &["cc -DPART=1", "cc -DPART=1 -Wall"]).exits(0);
    let answer = check_entries(&Folder::new(), text, &["cc -DPART=1", "cc -DPART=2"]).exits(2);
    answer.remarks("leave the one entry").remarks("cc -E");
}

#[test]
fn sizes_are_those_of_the_machine() {
    let text = "#define CHECK(x) if (!(x)) __assert_fail(#x, \"a.c\", 1, \"main\")\n\
                extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
                int main(void) { CHECK(sizeof(long) == 4); return 0; }\n";
    for compiler in ["cc -m32", "cc -m64 -m32", "clang --target=i686-linux-gnu", "ccache i686-linux-gnu-gcc-12"] {
        check_entries(&Folder::new(), text, &[compiler]).exits(0);
    }
    for compiler in ["cc", "cc -m32 -m64", "x86_64-linux-gnu-gcc", "clang -target x86_64-linux-gnu"] {
        check_entries(&Folder::new(), text, &[compiler]).exits(1);
    }
    for compiler in ["arm-linux-gnueabihf-gcc", "clang --target=aarch64-linux-gnu", "clang -arch arm64"] {
        check_entries(&Folder::new(), text, &[compiler]).exits(2).remarks("only x86");
    }
    check_entries(&Folder::new(), text, &["g++"]).exits(2).remarks("C++");
    let other = "int one(void) { return 1; }\n";
    check(&[("a.c", "-m32", text), ("b.c", "", other)]).exits(2).remarks("different sizes");
}

#[test]
fn floating_point_numbers_may_be_computed_with_more_digits() {
    let text = "extern double nondet_double(void);\nint main(void) { double d = nondet_double(); return d + 1 > d; }\n";
    check(&[("a.c", "-m32", text)]).exits(0).says("in the precision of their types");
    let answer = check(&[("a.c", "", text)]).exits(0);
    assert!(!answer.out.contains("precision"));
}
