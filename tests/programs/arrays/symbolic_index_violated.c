// As symbolic_index.c, but the two indices may be the same.
// EXPECT violated
// NONDET 0..2
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
  assert(a[i] == 1); // VIOLATION
  return 0;
}
