// An endless loop whose second round ends as it began.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

int level;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  while (1) {
    pthread_mutex_lock(&mutex);
    level = 1000;
    assert(level != 0);
    level--;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  return 0;
}
