// A thread that another thread creates at any time is not yet to come.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;

void *inner(void *arg) {
  pthread_mutex_lock(&m);
  level = 1;
  level = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

void *outer(void *arg) {
  pthread_t t;
  pthread_create(&t, 0, inner, 0);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, outer, 0);
  assert(level == 0); // VIOLATION
  pthread_join(a, 0);
  return 0;
}
