// A new local may lie where one has been that a pointer still names.
// EXPECT unknown
#include <assert.h>

static int *kept;

static void leave(void) {
    int dead = 0;
    kept = &dead;
}

static int find(void) {
    int alive = 0;
    return &alive == kept;
}

int main(void) {
    leave();
    assert(!find());
    return 0;
}
