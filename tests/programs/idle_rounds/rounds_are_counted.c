// A round that only counts is not idle: the third one fails.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int go;

void *waiter(void *arg) {
  int rounds = 0;
  while (!atomic_load(&go)) {
    rounds++;
    assert(rounds < 3); // VIOLATION
    if (rounds == 3)
      return 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  atomic_store(&go, 1);
  pthread_join(thread, 0);
  return 0;
}
