// No longjmp is reached.
// EXPECT proved
#include <assert.h>
#include <setjmp.h>

static jmp_buf there;

int main(void)
{
    int failed = 0;
    if (setjmp(there) != 0)
        assert(0);
    if (failed)
        longjmp(there, 1);
    return 0;
}
