// Two threads share a buffer: one fills its beginning, the other writes what is behind.
// PROPERTY no-data-race
// EXPECT proved
// NONDET 3..5
#include <pthread.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static char buffer[8];

static void *fill(void *unused) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length <= 4)
        memset(buffer, 1, length);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    buffer[4] = 2;
    pthread_join(thread, 0);
    return 0;
}
