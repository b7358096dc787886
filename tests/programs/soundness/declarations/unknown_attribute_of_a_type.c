// A type with an attribute that is not known may be anything, if it is used.
// EXPECT unknown
#include <assert.h>

typedef int strange __attribute__((never_heard_of));
typedef int unused __attribute__((never_heard_of));

int main(void)
{
    strange x = 3;
    assert(x == 3);
    return 0;
}
