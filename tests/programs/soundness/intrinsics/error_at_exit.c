// EXPECT violated
#include <stdlib.h>
extern void __VERIFIER_error(void); // VIOLATION

int main(void)
{
    atexit(__VERIFIER_error);
    return 0;
} // VIOLATION
