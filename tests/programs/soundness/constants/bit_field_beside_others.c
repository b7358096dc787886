// Bit-fields beside a constant one may be written.
// PROPERTY valid-deref
// EXPECT proved

struct flags { const unsigned kind : 5; unsigned level : 5; const unsigned rest : 12; unsigned last : 10; };
static struct flags flags = {1, 2, 3, 4};

int main(void)
{
    struct flags local = {1, 2, 3, 4};
    flags.level = 7;
    flags.last = 7;
    local.level = flags.kind;
    return local.level + flags.rest;
}
