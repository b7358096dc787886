// A waiting loop that keeps what it saw last: only rounds that see another value than the round before count.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int owner;
int data;

static int await(int wanted) {
  int last = wanted;
  int seen;
  while ((seen = atomic_load(&owner)) != wanted)
    last = seen;
  return last;
}

void *consumer(void *arg) {
  await(2);
  assert(data == 7);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, consumer, 0);
  atomic_store(&owner, 1);
  data = 7;
  atomic_store(&owner, 2);
  pthread_join(thread, 0);
  return 0;
}
