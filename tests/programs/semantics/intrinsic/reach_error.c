// PROPERTY unreach-call
// EXPECT violated
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int() == 1) reach_error(); // VIOLATION
    return 0;
}
