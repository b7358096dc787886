// The bytes of a constant bit-field cannot be set.
// PROPERTY valid-deref
// EXPECT violated
#include <string.h>

struct flags { const unsigned kind : 5; int value; };
static struct flags flags = {1, 2};

int main(void)
{
    memset(&flags, 0, sizeof flags); // VIOLATION
    return 0;
}
