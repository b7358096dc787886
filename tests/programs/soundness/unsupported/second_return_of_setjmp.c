// EXPECT unknown
#include <assert.h>
#include <setjmp.h>

static jmp_buf there;

int main(void)
{
    if (setjmp(there) != 0)
        assert(0);
    longjmp(there, 1);
}
