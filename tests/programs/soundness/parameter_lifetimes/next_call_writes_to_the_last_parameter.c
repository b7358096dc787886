// PROPERTY valid-deref
// EXPECT violated
struct entry { int value; };

static struct entry *last;

static void put(struct entry entry, int round)
{
    if (round == 1)
        last->value = 3; // VIOLATION
    last = &entry;
}

int main(void)
{
    struct entry entry = {5};
    for (int round = 0; round < 2; round++)
        put(entry, round);
    return 0;
}
