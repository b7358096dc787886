// A store to a byte that a constant bit-field shares with another one may be that to the other one.
// PROPERTY valid-deref
// EXPECT unknown

struct flags { const unsigned kind : 3; unsigned level : 3; };
static struct flags flags = {1, 2};

int main(void)
{
    *(unsigned char *)&flags = 0;
    return flags.kind;
}
