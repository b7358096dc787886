// Two threads at the same index, which is not known.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 5..6
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

int a[70], i, j;

void *thread(void *unused) {
  a[i] = 1; // RACE
  return 0;
}

int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 70 || j < 0 || j >= 70)
    return 0;
  pthread_create(&t, 0, thread, 0);
  a[j] = 2; // RACE
  pthread_join(t, 0);
  return 0;
}
