// A thread that ends without releasing leaves the lock held, and what it wrote to those who join it.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  level++;
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  assert(level == 1);
  return 0;
}
