//! C programs from end to end: what the front end makes of them, executed.

use base::Budget;
use execute::*;
use program::*;

const PTHREAD: &str = "
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[56]; long align; } pthread_attr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
";

fn compiled(text: &str) -> Program {
    let text = format!("{}{text}", PTHREAD.replace('\n', " "));
    match frontend::compile_text("test.c", &text, &frontend::CompileOptions::default()) {
        Ok(compiled) => compiled.program,
        Err(failure) => panic!("{:?}", failure.diagnostics),
    }
}

fn explored(program: &Program, properties: &[Property]) -> Exploration {
    let options = ExploreOptions { collect_observations: true, ..ExploreOptions::new(PropertySet::of(properties)) };
    explore(program, &options, &Budget::unlimited())
}

#[test]
fn lost_update_in_c() {
    let text = "
int x;
void *add(void *p) { x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
}
";
    let found = explored(&compiled(text), &[Property::UnreachCall, Property::NoDataRace, Property::NoThreadLeak]);
    let lines: Vec<(Property, u32)> =
        found.violations.iter().map(|trace| (trace.violation.property, trace.violation.span.line)).collect();
    assert!(found.is_complete());
    assert_eq!(lines, [(Property::UnreachCall, 10), (Property::NoDataRace, 3)]);
    let places = found.violations[0]
        .events
        .iter()
        .filter(|event| matches!(&event.kind, TraceEventKind::Write { place, .. } if place == "x"));
    assert_eq!(places.count(), 2);
}

#[test]
fn a_linked_list_under_a_mutex() {
    let text = "
struct node { int value; struct node *next; };
struct node *head;
pthread_mutex_t m;
void *push(void *p) {
  struct node *n = malloc(sizeof *n);
  n->value = *(int *)p;
  pthread_mutex_lock(&m);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&m);
  return n;
}
int main(void) {
  pthread_t t;
  int one = 1, two = 2;
  pthread_create(&t, 0, push, &one);
  push(&two);
  pthread_join(t, 0);
  while (head) {
    struct node *n = head;
    head = n->next;
    printf(\"%d \", n->value);
    free(n);
  }
  return 0;
}
";
    let memory = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::ValidMemcleanup];
    let properties: Vec<Property> = memory.into_iter().chain([Property::NoDataRace, Property::NoDeadlock]).collect();
    let found = explored(&compiled(text), &properties);
    let messages: Vec<&String> = found.violations.iter().map(|trace| &trace.violation.message).collect();
    assert!(found.is_complete() && messages.is_empty(), "{messages:?} {:?}", found.incomplete);
    let outputs: Vec<&[u8]> = found.observations.iter().map(|seen| seen.output.as_slice()).collect();
    assert_eq!(outputs, [b"1 2 ", b"2 1 "]);
}

/// The second thread may print between what the first writes and what the first prints.
#[test]
fn threads_are_interrupted_before_they_print() {
    let text = "
int x;
void *first(void *p) { x = 1; printf(\"a\"); return 0; }
void *second(void *p) { if (x) printf(\"b\"); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";
    let found = explored(&compiled(text), &[]);
    let outputs: Vec<&[u8]> = found.observations.iter().map(|seen| seen.output.as_slice()).collect();
    assert_eq!(outputs, [b"a".as_slice(), b"ab", b"ba"]);
}

#[test]
fn ends_are_observed() {
    let text = "
extern void abort(void);
pthread_mutex_t m;
int x;
void *other(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int first = x, second = x;
  if (first) abort();
  printf(\"%d\", second);
  if (second) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }
  pthread_join(t, 0);
  return 258;
}
";
    let found = explored(&compiled(text), &[]);
    let seen: Vec<(Ending, &[u8])> = found.observations.iter().map(|o| (o.ending, o.output.as_slice())).collect();
    assert_eq!(seen, [(Ending::Exit(2), b"0".as_slice()), (Ending::Abort, b""), (Ending::Stuck, b"1")]);
}

#[test]
fn a_forgotten_pointer_is_lost_memory() {
    let text = "
extern void exit(int);
int main(void) {
  int *p = malloc(sizeof *p);
  p = 0;
  exit(0);
}
";
    let found = explored(&compiled(text), &[Property::ValidMemtrack]);
    assert_eq!(found.violations.first().map(|trace| trace.violation.span.line), Some(4));
}
