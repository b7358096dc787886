// More places than any access is divided into: the array is a term, and what was written is found again.
// EXPECT proved
// NONDET 0..2
// TREES unknown too many pairs of indices
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int a[70];

int main(void) {
  int i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 70 || j < 0 || j >= 70)
    return 0;
  a[i] = 1;
  a[j] += 2;
  assert(i == j ? a[i] == 3 : a[i] == 1 && a[j] == 2);
  return 0;
}
