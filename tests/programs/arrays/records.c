// Members of several sizes, and pointers beside them: the units of the array are the smallest of them.
// EXPECT proved
// NONDET 0..2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct record {
  short tag;
  int value;
  struct record *next;
};

struct record records[100];

int main(void) {
  int i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 100 || j < 0 || j >= 100 || i == j)
    return 0;
  records[i].tag = 3;
  records[i].value = -1;
  records[i].next = &records[j];
  records[i].next->value = 7;
  assert(records[i].tag == 3 && records[i].value == -1);
  assert(records[j].tag == 0 && records[j].value == 7 && records[j].next == 0);
  return 0;
}
