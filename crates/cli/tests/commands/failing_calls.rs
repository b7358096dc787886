//! Calls that may fail, and the assumption that they do not.

use crate::support::Folder;

const UNCHECKED: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
";

const CHECKED: &str = "\
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (p == 0) {
        assert(errno == ENOMEM);
        return 1;
    }
    int *q = realloc(p, 2 * sizeof *p);
    if (q == 0)
        q = p;
    *q = 1;
    free(q);
    return 0;
}
";

const CREATION: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
static void *worker(void *argument) { x = 1; return argument; }
int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, 0, worker, 0) == 0)
        pthread_join(thread, 0);
    assert(x == 1);
    return 0;
}
";

#[test]
fn allocation_fails_where_it_may() {
    let folder = Folder::new();
    folder.write("unchecked.c", UNCHECKED);
    folder.write("checked.c", CHECKED);
    let check = |file: &str, more: &[&str]| folder.gordian(&[&["check", file, "-p", "valid-deref"], more].concat());
    check("unchecked.c", &[]).exits(0).says("malloc succeeds (--malloc-may-fail)");
    for engine in ["order", "monolithic", "scar", "lazy", "record", "uw"] {
        let options = ["--malloc-may-fail", "--engine", engine, "--only"];
        check("unchecked.c", &options).exits(1).says("malloc fails");
        let checked = check("checked.c", &options).exits(0);
        assert!(!checked.out.contains("malloc succeeds"), "{checked:#?}");
    }
    folder.gordian(&["check", "checked.c", "--malloc-may-fail"]).exits(0);
}

#[test]
fn creation_fails_where_it_may() {
    let folder = Folder::new();
    folder.write("create.c", CREATION);
    let check = |more: &[&str]| folder.gordian(&[&["check", "create.c", "-p", "assert"], more].concat());
    check(&[]).exits(0).says("pthread_create succeeds (--create-may-fail)");
    for engine in ["order", "monolithic", "scar", "lazy", "record", "uw"] {
        check(&["--create-may-fail", "--engine", engine, "--only"]).exits(1).says("pthread_create fails");
    }
}
