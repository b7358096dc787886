// Names with underscores do not make a structure the library's: its pointers are null or unknown.
// EXPECT unknown
#include <assert.h>

struct list { int *__first; };
extern struct list list;

int main(void)
{
    if (list.__first)
        assert(*list.__first == 0);
    return 0;
}
