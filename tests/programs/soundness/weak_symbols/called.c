// A call of a weak function that nothing defines is a call through null.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
void maybe(void) __attribute__((weak));

int main(void)
{
    maybe(); // VIOLATION
    return 0;
}
