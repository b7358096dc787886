// A bit of a pointer that is always zero holds a mark, which is there at the end.
// EXPECT violated
// TREES unknown there, addresses have no numbers
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct n { int v; struct n *l; };
uintptr_t head; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) { pthread_mutex_lock(&m); head |= 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  struct n *p = malloc(sizeof *p); if (!p) return 0;
  p->v = 4;
  head = (uintptr_t)p;
  pthread_t t; pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  struct n *q = (struct n *)(head & ~(uintptr_t)1);
  assert(q->v == 4);
  assert(((uintptr_t)q & 3) == 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(!(head & 1)); // VIOLATION
  free((void *)(head & ~(uintptr_t)1));
  return 0;
}
