// An array beside a lock in one object keeps its cells.
// EXPECT proved
// NONDET 0..1
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

struct {
  pthread_mutex_t lock;
  int a[100];
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
int i;

void *thread(void *unused) {
  pthread_mutex_lock(&shared.lock);
  shared.a[i]++;
  pthread_mutex_unlock(&shared.lock);
  return 0;
}

int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 100)
    return 0;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(shared.a[i] == 1);
  return 0;
}
