// What a loop fills an array with is lost in a summary, and no reason to claim a violation.
// EXPECT holds
// NONDET 1..3
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 40)
    return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = 3;
  assert(a[0] == 3);
  return 0;
}
