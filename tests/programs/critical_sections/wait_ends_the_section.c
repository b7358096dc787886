// Waiting on a condition releases the lock: others see what was written before.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int level;
int ready;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  level = 1;
  while (!ready)
    pthread_cond_wait(&c, &m);
  level = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  assert(level == 0); // VIOLATION
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
