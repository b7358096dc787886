// What was read is written although the source and the target have changed meanwhile.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <string.h>

int nondet_int(void);
int source, target;

static void *change(void *unused) {
    source = 1;
    target = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    if (nondet_int() != 123456) return 0;
    pthread_create(&thread, 0, change, 0);
    memcpy(&target, &source, sizeof source);
    pthread_join(thread, 0);
    assert(target == 1); // VIOLATION
    return 0;
}
