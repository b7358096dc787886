// After the join no lock is needed, and what was written last is seen.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  level = 5;
  level++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  level = 3;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(level == 6);
  pthread_mutex_destroy(&m);
  return 0;
}
