//! Functions that are started without a caller: what else a caller could give them, and threads that are counted.

use crate::support::Folder;

#[test]
fn parameters_may_be_objects_that_the_program_only_declares() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\n#include <errno.h>\n#include <unistd.h>\nextern int shared;\nextern const int fixed;\n\
         void declared(int *p) { int before = shared; *p = before + 1; assert(shared == before); }\n\
         void of_the_library(int *p) { optind = 1; *p = 5; assert(optind == 1); }\n\
         void error_number(int *p) { errno = 1; *p = 5; assert(errno == 1); }\n\
         void constant(int *p) { int before = fixed; *p = before; assert(fixed == before); }\n\
         void unused(int *p) { *p = 1; assert(*p == 1); }\n",
    );
    let check = |function: &str| folder.gordian(&["check", "a.c", "-p", "assert", "--entry", function, "--nonnull"]);
    for function in ["declared", "of_the_library", "error_number"] {
        check(function).exits(3).says("objects of their own");
    }
    check("constant").exits(0);
    check("unused").exits(0);
}

#[test]
fn threads_of_the_command_line_are_counted() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n\
         extern int nondet_int(void);\n_Atomic int done;\nsem_t never;\n\
         void handler(void) { assert(done == 2); }\n\
         void set_up(void) { sem_init(&never, 0, 0); atexit(handler); }\n\
         void leaves(void) { done++; if (nondet_int()) pthread_exit(0); }\n\
         void returns(void) { done++; }\n\
         void waits(void) { sem_wait(&never); }\n",
    );
    let check = |property: &str, second: &str| {
        let threads = ["--thread", "leaves", "--thread", second];
        folder.gordian(&[&["check", "a.c", "-p", property, "--init", "set_up"], &threads[..]].concat())
    };
    // Who ends first does not end the process.
    check("assert", "returns").exits(0).says("PROVED assert");
    check("no-deadlock", "waits").exits(1);
}

#[test]
fn numbers_of_threads_of_the_command_line_differ() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <unistd.h>\n\
         pthread_barrier_t both;\nint first, second;\n\
         void set_up(void) { pthread_barrier_init(&both, 0, 2); }\n\
         void one(void) { first = gettid(); pthread_barrier_wait(&both); pthread_barrier_wait(&both); }\n\
         void other(void) { second = gettid(); pthread_barrier_wait(&both); assert(first != second); \
         pthread_barrier_wait(&both); }\n",
    );
    let threads = ["--init", "set_up", "--thread", "one", "--thread", "other"];
    folder.gordian(&[&["check", "a.c", "-p", "assert"], &threads[..]].concat()).exits(0);
}

#[test]
fn an_engine_alone_says_what_it_did_not_reach() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\nint y;\nint main(void) { for (int i = 0; i < 10; i++) y++; assert(y != 10); return 0; }\n",
    );
    for engine in ["order", "monolithic", "scar", "lazy", "record", "uw"] {
        folder
            .gordian(&["check", "a.c", "-p", "assert", "--engine", engine, "--only", "--unwind", "3"])
            .exits(3)
            .says("never reached");
    }
}

#[test]
fn function_to_start_is_the_only_one_of_its_name() {
    let folder = Folder::new();
    folder.write("a.c", "#include <assert.h>\nstatic void f(int x) { assert(1); }\nvoid *used = f;\n");
    folder.write("b.c", "#include <assert.h>\nstatic void f(int x) { assert(x != 77); }\nvoid *other = f;\n");
    folder.write("c.c", "#include <assert.h>\nvoid f(int x) { assert(x != 78); }\n");
    let check = |files: &[&str]| folder.gordian(&[&["check", "-p", "assert", "--entry", "f"], files].concat());
    check(&["a.c", "b.c"]).exits(2).remarks("several files have a static function `f`");
    check(&["a.c"]).exits(0);
    check(&["b.c"]).exits(1);
    check(&["a.c", "c.c"]).exits(1).says("x != 78");
    folder.gordian(&["check", "a.c", "-p", "assert", "--thread", "f", "--thread", "f"]).exits(0);
}

#[test]
fn stubs_that_are_not_used_are_told() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\n#include <stdlib.h>\nint own(void) { return 3; }\nint other(void);\n\
         int main(void) { int *p = malloc(4); assert(p && own() == 3); return other(); }\n",
    );
    let check = |name: &str| folder.gordian(&["check", "a.c", "-p", "assert", "--stub", "other", "--stub", name]);
    check("malloc").exits(0).remarks("the stub for `malloc` is not used");
    check("own").exits(0).remarks("the program defines it");
    assert!(!check("another").exits(0).err.contains("is not used"));
}
