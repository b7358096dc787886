// A program that looks before it uses weak symbols does nothing wrong.
// PROPERTY valid-deref
// EXPECT proved
// NATIVE no it needs the linker to leave a symbol undefined
extern int maybe __attribute__((weak));
void call(void) __attribute__((weak));
extern int defined __attribute__((weak));
int defined = 1;

int main(void)
{
    if (&maybe)
        maybe = 1;
    if (call)
        call();
    if (&defined)
        defined++;
    return 0;
}
