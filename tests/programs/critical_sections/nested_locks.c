// The inner lock is only taken under the outer one, which alone protects.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
int level;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  level++;
  pthread_mutex_unlock(&n);
  pthread_mutex_lock(&n);
  level--;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_mutex_lock(&m);
  assert(level == 0);
  pthread_mutex_unlock(&m);
  return 0;
}
