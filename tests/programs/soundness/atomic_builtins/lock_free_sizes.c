// Sizes for which the processor has no instruction need a lock; so does what the type does not promise to be aligned.
// EXPECT proved
#include <assert.h>
#include <stdatomic.h>

struct block {
    char bytes[64];
};

int number;
char *text;

int main(void) {
    assert(!__atomic_always_lock_free(sizeof(struct block), 0));
    assert(!__atomic_always_lock_free(3, 0));
    assert(!__atomic_always_lock_free(16, 0));
    assert(__atomic_always_lock_free(8, 0));
    assert(__atomic_always_lock_free(4, &number));
    assert(__atomic_always_lock_free(4, (void *)&number));
    assert(!__atomic_always_lock_free(4, text));
    assert(__atomic_always_lock_free(1, text));
    assert(__atomic_is_lock_free(4, &number));
    assert(!__atomic_is_lock_free(sizeof(struct block), 0));
    return 0;
}
