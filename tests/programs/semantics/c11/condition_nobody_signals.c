// PROPERTY no-deadlock
// EXPECT violated
#include <threads.h>

mtx_t m;
cnd_t c;

int main(void) {
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    mtx_lock(&m);
    cnd_wait(&c, &m); // VIOLATION
    return 0;
}
