// EXPECT violated
// NONDET 0..1
int nondet_int(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);

int main(void) {
    int n = nondet_int();
    __ESBMC_assert(n == 0, "the assumption comes too late"); // VIOLATION
    __ESBMC_assume(n == 0);
    return 0;
}
