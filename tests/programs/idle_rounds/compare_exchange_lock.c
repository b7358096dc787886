// A lock by compare-exchange with the expected value in memory: a failed round puts it back.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int count;

void *increment(void *arg) {
  int expected = 0;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1))
    expected = 0;
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
