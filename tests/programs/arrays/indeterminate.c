// What nothing has written may be anything, and the same twice.
// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *a = malloc(100 * sizeof(int));
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 100)
    return 0;
  int first = a[i], second = a[i];
  assert(first == second);
  assert(first != 1); // VIOLATION
  return 0;
}
