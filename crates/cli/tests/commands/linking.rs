//! Programs of several files: which of several definitions of a name counts, and what further names stand for.

use crate::support::{Answer, Folder};

fn check(files: &[(&str, &str)]) -> Answer {
    let folder = Folder::new();
    let mut arguments = vec!["check", "-p", "assert"];
    for (name, text) in files {
        folder.write(name, text);
        arguments.push(name);
    }
    folder.gordian(&arguments)
}

/// The files in both orders.
fn holds(one: &str, other: &str) {
    check(&[("a.c", one), ("b.c", other)]).exits(0);
    check(&[("b.c", other), ("a.c", one)]).exits(0);
}

#[test]
fn alias_of_a_weak_definition_stays_with_it() {
    holds(
        "#include <assert.h>\nint f(void) __attribute__((weak));\nint f(void) { return 1; }\n\
         int g(void) __attribute__((alias(\"f\")));\nint main(void) { assert(g() == 1 && f() == 2); return 0; }\n",
        "int f(void) { return 2; }\n",
    );
    holds(
        "#include <assert.h>\nint x __attribute__((weak)) = 1;\nextern int y __attribute__((alias(\"x\")));\n\
         int main(void) { x++; assert(y == 1 && x == 3); return 0; }\n",
        "int x = 2;\n",
    );
}

#[test]
fn weak_alias_gives_way() {
    let weak = "#include <assert.h>\nstatic int nothing(void) { return 0; }\n\
                int hook(void) __attribute__((weak, alias(\"nothing\")));\nstatic int seven = 7;\n\
                extern int number __attribute__((weak, alias(\"seven\")));\n\
                int main(void) { assert(hook() == HOOK && number == NUMBER); return nothing() + seven - 7; }\n";
    let defined = weak.replace("HOOK", "5").replace("NUMBER", "8");
    holds(&defined, "int hook(void) { return 5; }\nint number = 8;\n");
    let alone = weak.replace("HOOK", "0").replace("NUMBER", "7");
    holds(&alone, "int hook(void);\nextern int number;\nint use(void) { return hook() + number; }\n");
}

#[test]
fn alias_counts_beside_a_weak_definition() {
    holds(
        "#include <assert.h>\n__attribute__((weak)) int hook(void) { return 0; }\n__attribute__((weak)) int number = 1;\n\
         int main(void) { assert(hook() == 5 && number == 8); return 0; }\n",
        "static int five(void) { return 5; }\nint hook(void) __attribute__((alias(\"five\")));\nstatic int eight = 8;\n\
         extern int number __attribute__((alias(\"eight\")));\n",
    );
}

#[test]
fn static_alias_is_known_in_its_file_alone() {
    holds(
        "#include <assert.h>\nint f(void) { return 1; }\nint call(void);\n\
         int main(void) { assert(f() == 1 && call() == 2); return 0; }\n",
        "static int g(void) { return 2; }\nstatic int f(void) __attribute__((alias(\"g\")));\n\
         int call(void) { return f(); }\n",
    );
}

#[test]
fn alias_may_stand_before_what_it_names() {
    holds(
        "#include <assert.h>\nextern int y;\nint f(void);\nint main(void) { y = 3; assert(f() == 3); return 0; }\n",
        "extern int y __attribute__((alias(\"x\")));\nint f(void) __attribute__((alias(\"g\")));\nstatic int x = 1;\n\
         int g(void) { return x; }\n",
    );
}

#[test]
fn label_may_name_what_another_file_defines() {
    holds(
        "#include <assert.h>\nextern int x __asm__(\"y\");\nextern int get(void) __asm__(\"get_it\");\n\
         int main(void) { assert(x == 8 && get() == 3); return 0; }\n",
        "int y = 8;\nint get_it(void) { return 3; }\nint get(void) { return 4; }\n",
    );
}

#[test]
fn order_of_evaluation_matters_under_every_name() {
    let one = "#include <assert.h>\nextern int y;\nint set(void);\n\
               int main(void) { int r = y + set(); assert(r == 4); return 0; }\n";
    let other = "int x = 1;\nextern int y __attribute__((alias(\"x\")));\nint set(void) { return x = 3; }\n";
    check(&[("a.c", one), ("b.c", other)]).exits(1);
    check(&[("b.c", other), ("a.c", one)]).exits(1);
}

#[test]
fn inline_definitions_are_the_same_if_their_words_are() {
    let one = "#include <assert.h>\nSIZES\ninline int size(void) { return BIG; }\nint other(void);\n\
               int main(void) { assert(size() == other()); return 0; }\n";
    let other = "SIZES\nextern inline int size(void) { return BIG; }\nint other(void) { return size(); }\n";
    let check = |left: &str, right: &str| {
        check(&[("a.c", &one.replace("SIZES", left)), ("b.c", &other.replace("SIZES", right))])
    };
    let sizes = "typedef struct { int x; } unrelated; enum sizes { SMALL, BIG = 2 };";
    check(sizes, sizes).exits(0);
    check(sizes, &format!("struct {{ int a; }} first; {sizes}")).exits(0);
    check("enum { BIG = 1 };", "enum { BIG = 2 };").exits(3).says("inline definition");
}
