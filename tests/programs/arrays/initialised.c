// A table with an initialiser, addresses among its elements.
// EXPECT proved
// NONDET 0..3
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int x = 4, y = 5;
int *table[100] = {[1] = &x, [2] = &y};
short numbers[100] = {1, 2, [99] = -3};

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 100)
    return 0;
  assert(table[i] == 0 || (*table[i] == i + 3 && (i == 1 || i == 2)));
  assert(numbers[i] <= 2 && (numbers[i] >= 0 || i == 99));
  return 0;
}
