// An array of unknown size, filled by a loop of unknown length, and read by two threads at an index that is not known.
// EXPECT holds
// NONDET 0..2
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *a, k, r, s;

void *first(void *unused) {
  r = a[k];
  return 0;
}

void *second(void *unused) {
  s = a[k];
  return 0;
}

int main(void) {
  pthread_t t, u;
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 40)
    return 0;
  a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  k = __VERIFIER_nondet_int();
  if (k < 0 || k >= n)
    return 0;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(r == s);
  return 0;
}
