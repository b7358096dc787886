// A lock by exchange: a round that writes the 1 that it found there changes nothing.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int count;

void *increment(void *arg) {
  while (atomic_exchange(&lock, 1)) {
  }
  count++;
  atomic_store(&lock, 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
