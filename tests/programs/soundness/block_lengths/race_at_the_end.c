// The beginning of a buffer that one thread fills may be as long as to meet the other one.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 3..5
#include <pthread.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

static char buffer[8];

static void *fill(void *unused) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length <= 5)
        memset(buffer, 1, length); // RACE
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    buffer[4] = 2; // RACE
    pthread_join(thread, 0);
    return 0;
}
