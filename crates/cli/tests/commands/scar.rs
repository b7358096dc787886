use crate::support::Folder;

const STORE_BUFFERING: &str = "\
#include <pthread.h>
#include <assert.h>
int x, y, a, b;
void *first(void *arg) { x = 1; a = y; return 0; }
void *second(void *arg) { y = 1; b = x; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a + b > 0);
  return 0;
}
";

#[test]
fn both_refinements_prove_and_count_differently() {
    let folder = Folder::new();
    folder.write("a.c", STORE_BUFFERING);
    let check = ["check", "a.c", "-p", "assert", "--engine", "scar", "--stats"];
    let graph = folder.gordian(&check).exits(0).says("PROVED assert");
    let core = folder.gordian(&[&check[..], &["--scar-refinement", "core"]].concat()).exits(0).says("PROVED assert");
    let count = |out: &str, name: &str| {
        let line = out.lines().find(|line| line.trim().starts_with(name)).expect("a counter");
        line.split_whitespace().last().and_then(|word| word.parse::<u64>().ok()).expect("a number")
    };
    assert_eq!(count(&graph.out, "refinements by core"), 0);
    assert!(count(&graph.out, "refinements by graph") > 0);
    assert_eq!(count(&core.out, "refinements by graph"), 0);
    assert!(count(&core.out, "refinements by core") > 0);
}

#[test]
fn graphs_are_drawn_into_a_folder_by_bound_and_round() {
    let folder = Folder::new();
    folder.write("a.c", STORE_BUFFERING);
    folder
        .gordian(&["check", "a.c", "-p", "assert", "--engine", "scar", "--unwind", "3", "--dump-eog", "graphs/new"])
        .exits(0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("graphs/new").join(name)).expect("a drawing");
    let dot = read("unfolding1-unwind3-round0001.dot");
    for part in ["digraph", "style=dashed", "color=red", "R y, line 4", "first"] {
        assert!(dot.contains(part), "{part} in\n{dot}");
    }
    let text = read("unfolding1-unwind3-round0001.txt");
    assert!(text.contains("\nread-from: ") && text.contains("\ncycle: "), "{text}");
}

#[test]
fn options_of_scar_are_refused_elsewhere() {
    let folder = Folder::new();
    folder.write("a.c", STORE_BUFFERING);
    folder.gordian(&["check", "a.c", "--dump-eog", "graphs"]).exits(2).remarks("--dump-eog is for --engine scar");
    folder.gordian(&["check", "a.c", "--scar-refinement", "core"]).exits(2).remarks("--engine scar");
    folder.gordian(&["check", "a.c", "--engine", "scar", "--scar-refinement", "luck"]).exits(2).remarks("luck");
    folder.write("file", "");
    folder.gordian(&["check", "a.c", "--engine", "scar", "--dump-eog", "file"]).exits(2).remarks("cannot be written");
}
