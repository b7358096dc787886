// As `bit_field_as_bytes`, by a library function and on the stack.
// PROPERTY valid-deref
// EXPECT unknown

#include <string.h>

struct flags { const unsigned kind : 3; unsigned level : 3; };

int main(void)
{
    struct flags flags = {1, 2};
    memset(&flags, 0, sizeof flags);
    return flags.kind;
}
