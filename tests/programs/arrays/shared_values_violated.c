// Without a lock the value in between is seen.
// EXPECT violated
// NONDET 7..8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);

atomic_int a[70];
int i;

void *thread(void *unused) {
  a[i] = 5;
  a[i] = 6;
  return 0;
}

int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 70 || j < 0 || j >= 70)
    return 0;
  pthread_create(&t, 0, thread, 0);
  int found = a[j];
  assert(found == 0 || found == 6); // VIOLATION
  pthread_join(t, 0);
  return 0;
}
