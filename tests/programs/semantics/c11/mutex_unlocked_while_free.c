// PROPERTY lock-misuse
// EXPECT violated
#include <threads.h>

mtx_t m;

int main(void) {
    mtx_init(&m, mtx_plain);
    mtx_unlock(&m); // VIOLATION
    return 0;
}
