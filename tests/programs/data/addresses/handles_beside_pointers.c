// Handles of threads lie in structures of the heap, beside numbers and pointers.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct job { struct job *prev; void (*fn)(void *); void *arg; };
struct thread { int id; pthread_t pthread; struct pool *pool; };
struct pool { struct thread **threads; volatile int alive; pthread_mutex_t lock; struct job *head; int n; int done; };
static void inc(void *a) { (*(int *)a)++; }
static void *run(void *a) {
  struct thread *t = a; struct pool *p = t->pool;
  pthread_mutex_lock(&p->lock);
  p->alive++;
  struct job *j = p->head;
  if (j) { p->head = j->prev; }
  pthread_mutex_unlock(&p->lock);
  if (j) { j->fn(j->arg); free(j); }
  pthread_mutex_lock(&p->lock);
  p->alive--;
  pthread_mutex_unlock(&p->lock);
  return 0;
}
static int counter;
int main(void) {
  struct pool *p = malloc(sizeof *p);
  if (!p) return 0;
  p->alive = 0; p->head = 0; p->n = 2;
  pthread_mutex_init(&p->lock, 0);
  struct job *j = malloc(sizeof *j);
  if (!j) return 0;
  j->prev = 0; j->fn = inc; j->arg = &counter;
  p->head = j;
  p->threads = malloc(p->n * sizeof *p->threads);
  if (!p->threads) return 0;
  for (int i = 0; i < p->n; i++) {
    p->threads[i] = malloc(sizeof(struct thread));
    if (!p->threads[i]) return 0;
    p->threads[i]->id = i; p->threads[i]->pool = p;
    pthread_create(&p->threads[i]->pthread, 0, run, p->threads[i]);
  }
  for (int i = 0; i < p->n; i++) pthread_join(p->threads[i]->pthread, 0);
  assert(counter == 1);
  for (int i = 0; i < p->n; i++) free(p->threads[i]);
  free(p->threads); pthread_mutex_destroy(&p->lock); free(p);
  return 0;
}
