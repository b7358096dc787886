// A store to a weak variable that nothing defines is a store to null.
// PROPERTY valid-deref
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
extern int maybe __attribute__((weak));

int main(void)
{
    maybe = 1; // VIOLATION
    return 0;
}
