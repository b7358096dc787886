// EXPECT proved
#include <assert.h>
#include <stddef.h>

struct pair {
    int first, second[4];
};
static const int three = 3;
static const double half = 0.5;
static const struct pair known = { 7, { 1, 2, 3, 4 } };
static const int numbers[] = { 5, 6 };
static int table[4];

static int copy = three, member = known.second[2], element = numbers[1];
static double other = half + 1;
static struct pair whole = known;
static char letter = "abc"[1];
static long offset = (long)&((struct pair *)0)->second[1];
static int bits = __builtin_popcount(0xff), swapped = __builtin_bswap32(1) == 0x1000000;
static unsigned long length = __builtin_strlen("four");
static int ordered = &table[1] > &table[0];

static int chosen(long x)
{
    switch (x) {
    case (long)&((struct pair *)0)->second[1]:
        return 1;
    case __builtin_popcount(7):
        return 2;
    case __builtin_strlen("ab"):
        return 3;
    }
    return 0;
}

int main(void)
{
    assert(copy == 3 && member == 3 && element == 6 && other == 1.5);
    assert(whole.first == 7 && whole.second[3] == 4 && letter == 'b' && offset == 8);
    assert(bits == 8 && swapped && length == 4 && ordered);
    assert(chosen(8) == 1 && chosen(3) == 2 && chosen(2) == 3 && chosen(1) == 0);
    return 0;
}
