// Two kinds of structures come from one function that allocates: their cells stay apart.
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node { struct node *next; int value; };
struct queue { int count; int limit; struct node *head; pthread_mutex_t lock; };
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static void *worker(void *a) {
  struct queue *q = a;
  pthread_mutex_lock(&q->lock);
  int sum = 0;
  for (struct node *n = q->head; n; n = n->next) sum += n->value;
  assert(sum == q->limit);
  pthread_mutex_unlock(&q->lock);
  return 0;
}
static void push(struct queue *q, int v) {
  struct node *n = xmalloc(sizeof *n);
  n->value = v;
  pthread_mutex_lock(&q->lock);
  n->next = q->head; q->head = n; q->count++; q->limit += v;
  pthread_mutex_unlock(&q->lock);
}
int main(void) {
  struct queue *q = xmalloc(sizeof *q);
  q->count = 0; q->limit = 0; q->head = 0;
  pthread_mutex_init(&q->lock, 0);
  push(q, 1);
  pthread_t t;
  pthread_create(&t, 0, worker, q);
  push(q, 2);
  pthread_join(t, 0);
  while (q->head) { struct node *n = q->head; q->head = n->next; free(n); }
  pthread_mutex_destroy(&q->lock);
  free(q);
  return 0;
}
