// Two threads at indices that are not known but never the same: no race.
// PROPERTY no-data-race
// EXPECT proved
// NONDET 34..35
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

int a[70], i, j;

void *thread(void *unused) {
  a[i] = 1; // NORACE
  return 0;
}

int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 35 || j < 35 || j >= 70)
    return 0;
  pthread_create(&t, 0, thread, 0);
  a[j] = 2; // NORACE
  pthread_join(t, 0);
  return 0;
}
