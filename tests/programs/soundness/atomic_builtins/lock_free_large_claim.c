// EXPECT violated
#include <assert.h>

int main(void) {
    assert(__atomic_always_lock_free(24, 0)); // VIOLATION
    return 0;
}
