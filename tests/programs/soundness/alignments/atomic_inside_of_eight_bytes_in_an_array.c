// As beside this file, for elements, and for a program that never looks at the size.
// EXPECT unknown
// OPTION ilp32

#include <assert.h>
#include <stddef.h>

struct inner { _Atomic double real; };
struct outer { int first; struct inner inner[2]; };
static struct outer object;

int main(void)
{
    assert((char *)&object.inner - (char *)&object == 8);
    return 0;
}
