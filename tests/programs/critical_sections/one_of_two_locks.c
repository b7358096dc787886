// The thread holds one of two locks, and does not know which.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
int level;
extern int __VERIFIER_nondet_int(void);

void *worker(void *arg) {
  pthread_mutex_t *lock = __VERIFIER_nondet_int() ? &m : &n;
  pthread_mutex_lock(lock);
  level = 1;
  level = 0;
  pthread_mutex_unlock(lock);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  assert(level == 0); // VIOLATION
  pthread_mutex_unlock(&m);
  return 0;
}
