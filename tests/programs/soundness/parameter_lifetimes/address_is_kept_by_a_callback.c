// PROPERTY valid-deref
// EXPECT violated
union word {
    int number;
    char bytes[4];
};

static char *first;

static void remember(union word word) { first = word.bytes; }

static void apply(void (*action)(union word), int number)
{
    union word word = {number};
    action(word);
    *first = 1; // VIOLATION
}

int main(void)
{
    apply(remember, 7);
    return 0;
}
