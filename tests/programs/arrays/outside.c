// One element too far, at an index that is not known.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 99..100
extern int __VERIFIER_nondet_int(void);

int a[100];

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 100)
    return 0;
  a[i] = 1; // VIOLATION
  return 0;
}
