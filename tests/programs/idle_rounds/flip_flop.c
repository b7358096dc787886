// Every second round ends as the one before the last began: no round is idle.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int seen;

void *worker(void *arg) {
  int flip = 0;
  int rounds = 0;
  while (rounds < 3) {
    flip = !flip;
    if (flip)
      rounds++;
    else
      atomic_store(&seen, 1);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  assert(!atomic_load(&seen)); // VIOLATION
  pthread_join(thread, 0);
  return 0;
}
