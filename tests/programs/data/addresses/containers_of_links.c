// Links inside of structures, from which the structures are found again.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
struct list { struct list *next, *prev; };
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
struct task { int id; struct list link; };
struct event { char kind; struct list link; long when; };
static struct list tasks = { &tasks, &tasks }, events = { &events, &events };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(struct list *h, struct list *n) { n->next = h->next; n->prev = h; h->next->prev = n; h->next = n; }
static void del(struct list *n) { n->prev->next = n->next; n->next->prev = n->prev; }
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static void newtask(int id) { struct task *t = xmalloc(sizeof *t); t->id = id; pthread_mutex_lock(&m); add(&tasks, &t->link); pthread_mutex_unlock(&m); }
static void newevent(long w) { struct event *t = xmalloc(sizeof *t); t->kind = 1; t->when = w; pthread_mutex_lock(&m); add(&events, &t->link); pthread_mutex_unlock(&m); }
void *w(void *a) {
  pthread_mutex_lock(&m);
  if (tasks.next != &tasks) {
    struct task *t = container_of(tasks.next, struct task, link);
    assert(t->id == 1 || t->id == 2);
    del(&t->link); free(t);
  }
  pthread_mutex_unlock(&m);
  newevent(9);
  return 0;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  newtask(1); newevent(7);
  pthread_join(t, 0);
  while (tasks.next != &tasks) { struct task *t = container_of(tasks.next, struct task, link); del(&t->link); free(t); }
  while (events.next != &events) { struct event *t = container_of(events.next, struct event, link); assert(t->when == 7 || t->when == 9); del(&t->link); free(t); }
  return 0;
}
