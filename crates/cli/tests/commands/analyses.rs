//! Every analysis of a program is computed once, however many violations are replayed, shortened and written down.

use crate::support::Folder;

/// A lost update, a race, a leak and a lock that is never released.
const MANY_VIOLATIONS: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) {
    int *memory = malloc(sizeof *memory);
    *memory = counter;
    counter = *memory + 1;
    pthread_mutex_lock(&lock);
    return 0;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
";

#[test]
fn each_analysis_runs_once_in_a_check() {
    let folder = Folder::new();
    folder.write("many.c", MANY_VIOLATIONS);
    let check = ["check", "many.c", "--stats", "--witness", "w.graphml", "--html", "page.html", "--explain"];
    let shown = folder.gordian(&check).exits(1).out;
    assert!(shown.matches("VIOLATED").count() >= 3, "{shown}");
    for analysis in
        ["points-to analyses", "sharing analyses", "visibility analyses", "violation site analyses", "decoded programs"]
    {
        let line = shown.lines().find(|line| line.trim_start().starts_with(analysis));
        let runs = line.and_then(|line| line.split_whitespace().last());
        assert_eq!(runs, Some("1"), "{analysis} in\n{shown}");
    }
    let line = shown.lines().find(|line| line.trim_start().starts_with("static race analyses"));
    assert!(line.is_some_and(|line| line.ends_with(" 1")), "{shown}");
}
