// Assembly that only describes or places something changes nothing.
// EXPECT proved
#include <assert.h>

__asm__("");
__asm__(".ident \"a comment\"");
__asm__(".pushsection .comment\n\t.popsection");

int main(void)
{
    int one = 1;
    assert(one == 1);
    return 0;
}
