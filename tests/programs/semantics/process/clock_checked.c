// EXPECT proved
#include <time.h>
#include <assert.h>

int main(void) {
    time_t before = time(0), after = time(0);
    if (after < before)
        after = before;
    assert(before <= after);
    return 0;
}
