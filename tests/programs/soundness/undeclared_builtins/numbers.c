// Without a header a builtin has the type that C says.
// EXPECT holds
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
static void check(int condition) {
    if (!condition)
        __assert_fail("condition", "", 1, "");
}
int main(void) {
    check(__builtin_fmax(2.5, 1.5) == 2.5);
    check(__builtin_sqrt(16) == 4.0);
    check(__builtin_labs(-(1L << 40)) == 1L << 40);
    check(__builtin_strlen("abc") == 3);
    char text[4];
    check(__builtin_stpcpy(text, "ab") == text + 2);
    check(__builtin_object_size(text, 0) == 4);
    return 0;
}
