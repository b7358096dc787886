// EXPECT violated
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int main(void) {
    if (__builtin_fmax(2.5, 1.5) == 2.5)
        __assert_fail("a", "", 1, ""); // VIOLATION
    return 0;
}
