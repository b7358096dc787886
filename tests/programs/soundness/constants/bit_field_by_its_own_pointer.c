// The bit-field beside a constant one is written through pointers of the same type.
// PROPERTY valid-deref
// EXPECT proved

struct flags { const unsigned kind : 3; unsigned level : 3; };
static struct flags flags = {1, 2};

static void raise(struct flags *pointer)
{
    pointer->level = 3;
}

int main(void)
{
    const struct flags *reader = &flags;
    raise(&flags);
    return reader->kind + reader->level;
}
