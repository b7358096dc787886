// In static tables, too.
// EXPECT violated
// NATIVE no it needs the linker to leave a symbol undefined
#include <assert.h>

void maybe(void) __attribute__((weak));
void (*table[2])(void) = {maybe, maybe};

int main(void)
{
    assert(table[1]); // VIOLATION
    return 0;
}
