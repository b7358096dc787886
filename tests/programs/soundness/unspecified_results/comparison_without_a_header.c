// EXPECT violated
// NONDET 0..2
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int main(void) {
    int order = __builtin_memcmp("b", "a", 1);
    if (order != 1)
        __assert_fail("order", "", 1, ""); // VIOLATION
    return 0;
}
