// A summarised loop changes what lies elsewhere, too: nothing of that may be kept.
// EXPECT violated
// NONDET 0..3
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int count, last[100];

int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (n < 1 || n > 40 || k < 0 || k >= 100)
    return 0;
  char *a = malloc(n);
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    count++;
    last[k] = i;
  }
  assert(count < 2 || last[k] == 0); // VIOLATION
  return 0;
}
