// A typedef can ask for an alignment, which counts wherever something is declared by it.
// EXPECT proved
#include <stddef.h>
#include <stdint.h>
#include <assert.h>

typedef int wide __attribute__((aligned(16)));
typedef wide also_wide;

struct pair {
    char first;
    also_wide second;
    char third;
};

struct many {
    char first;
    wide *pointer;
};

char c;
wide global;

int main(void) {
    assert(offsetof(struct pair, second) == 16 && offsetof(struct pair, third) == 20);
    assert(sizeof(struct pair) == 32 && sizeof(wide) == sizeof(int));
    assert(offsetof(struct many, pointer) == sizeof(void *));
    return 0;
}
