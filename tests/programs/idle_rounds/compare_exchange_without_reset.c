// The same lock with the mistake that `expected` keeps what was found: a second try takes a held lock.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int count;

void *increment(void *arg) {
  int expected = 0;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)) {
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
  assert(count == 2); // VIOLATION
  return 0;
}
