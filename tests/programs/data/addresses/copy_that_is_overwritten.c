// A copy to one of two objects, one of which another thread overwrites.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct item { int a; int b; struct item *next; };
extern int __VERIFIER_nondet_int(void);
struct item one, two;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *u) { pthread_mutex_lock(&m); one.a = one.b = 3; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  struct item v; v.a = 7; v.b = 7; v.next = 0;
  int k = __VERIFIER_nondet_int();
  struct item *p = k ? &one : &two;
  pthread_mutex_lock(&m);
  memcpy(p, &v, sizeof v);
  assert(p->a == 7 && p->b == 7);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  struct item o;
  memcpy(&o, p, sizeof o);
  assert(o.a == 7); // VIOLATION
  return 0;
}
