// memmove in an array reads everything before it writes, and others may see it half-written.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <string.h>

int nondet_int(void);
int queue[3] = {0, 1, 2};

static void *look(void *unused) {
    int last = queue[1], first = queue[0];
    assert(first == last - 1); // VIOLATION
    return unused;
}

int main(void) {
    pthread_t thread;
    if (nondet_int() != 123456) return 0;
    pthread_create(&thread, 0, look, 0);
    memmove(queue, queue + 1, 2 * sizeof(int));
    assert(queue[0] == 1 && queue[1] == 2 && queue[2] == 2);
    pthread_join(thread, 0);
    return 0;
}
