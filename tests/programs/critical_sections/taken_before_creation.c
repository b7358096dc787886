// A lock taken before there are threads protects afterwards.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  assert(level == 7);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, worker, 0);
  level = 1;
  level = 7;
  pthread_mutex_unlock(&m);
  return 0;
}
