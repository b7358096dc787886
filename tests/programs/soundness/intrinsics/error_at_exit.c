// An error that the end of the process runs into is told where it is declared.
// EXPECT violated
#include <stdlib.h>

extern void __VERIFIER_error(void); // VIOLATION

int main(void)
{
    atexit(__VERIFIER_error);
    return 0;
}
