// A section writes on one of its paths only.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;
extern int __VERIFIER_nondet_int(void);

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  if (__VERIFIER_nondet_int())
    level = 2;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  level = 1;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_mutex_lock(&m);
  int seen = level;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  assert(seen == level); // VIOLATION
  pthread_mutex_unlock(&m);
  return 0;
}
