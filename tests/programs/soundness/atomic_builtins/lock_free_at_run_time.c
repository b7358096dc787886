// Of such sizes the library asks the processor.
// EXPECT unknown
#include <assert.h>

char pieces[16];

int main(void) {
    assert(__atomic_is_lock_free(16, pieces));
    return 0;
}
