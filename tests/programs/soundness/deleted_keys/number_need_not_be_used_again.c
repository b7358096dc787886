// EXPECT violated
#include <assert.h>
#include <threads.h>

int main(void) {
    tss_t first, second;
    tss_create(&first, 0);
    tss_delete(first);
    tss_create(&second, 0);
    assert(first == second); // VIOLATION
    return 0;
}
