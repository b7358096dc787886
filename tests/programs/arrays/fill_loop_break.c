// A loop that may be left before its guard fails: the negated guard does not hold behind it.
// EXPECT violated
// NONDET 0..7
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i;
  if (n < 1 || n > 40)
    return 0;
  int *a = malloc(n * sizeof(int));
  for (i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] == 7)
      break;
  }
  assert(i >= n); // VIOLATION
  return 0;
}
