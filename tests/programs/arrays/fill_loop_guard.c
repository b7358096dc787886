// Behind a loop with no other exit its guard is false.
// EXPECT holds
// NONDET 0..3
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i;
  if (n < 1 || n > 40)
    return 0;
  int *a = malloc(n * sizeof(int));
  for (i = 0; i < n; i++)
    a[i] = i;
  assert(i >= n);
  return 0;
}
