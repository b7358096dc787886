// PROPERTY no-deadlock
// EXPECT violated
#include <threads.h>

mtx_t m;

int main(void) {
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    mtx_lock(&m); // VIOLATION
    return 0;
}
