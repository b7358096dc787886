// Each thread has a lock of its own.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
int level;

void *worker(void *arg) {
  pthread_mutex_lock(&n);
  level = 1;
  level = 0;
  pthread_mutex_unlock(&n);
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
