// After waiting on a condition nothing known before holds any more.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
int data;

void *worker(void *arg) {
  pthread_mutex_lock(&m);
  data = 1;
  while (!ready)
    pthread_cond_wait(&c, &m);
  assert(data == 2);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  if (data == 1) {
    data = 2;
    ready = 1;
    pthread_cond_signal(&c);
  }
  pthread_mutex_unlock(&m);
  return 0;
}
