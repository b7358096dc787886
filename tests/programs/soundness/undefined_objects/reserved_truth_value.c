// Names with underscores do not make a structure the library's: its truth values are 0 or 1.
// EXPECT proved
#include <assert.h>

extern struct { _Bool __ready; } state;

int main(void)
{
    int ready = state.__ready;
    assert(ready == 0 || ready == 1);
    return 0;
}
