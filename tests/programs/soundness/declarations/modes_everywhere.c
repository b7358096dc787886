// `mode` and `vector_size` hold for members, parameters and enumerations, too, and for what an array or pointer leads to.
// EXPECT proved
#include <assert.h>

struct members {
    char first;
    int narrow __attribute__((mode(HI)));
    unsigned byte __attribute__((mode(QI)));
};

struct vectors {
    char first;
    float four __attribute__((vector_size(16)));
};

enum small { ONE = 1 } __attribute__((mode(QI)));

static float __attribute__((vector_size(16))) table[4], *pointer;

static int width(int x __attribute__((mode(DI))))
{
    return sizeof x;
}

static int old_style(a, b)
int a __attribute__((mode(DI)));
char b;
{
    return sizeof a + sizeof b;
}

int main(void)
{
    struct members members = {1, 0x12345, 300};
    assert(sizeof members == 6 && members.narrow == 0x2345 && members.byte == 44);
    assert(sizeof(struct vectors) == 32 && sizeof table == 64 && sizeof pointer == 8 && sizeof *pointer == 16);
    assert(sizeof(enum small) == 1 && width(1) == 8 && old_style(1, 'b') == 9);
    return 0;
}
