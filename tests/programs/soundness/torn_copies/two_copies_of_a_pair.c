// Two threads copy to the same place: one half may come from each.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>
#include <string.h>

int nondet_int(void);
struct pair {
    int left, right;
} shared, ones = {1, 1}, twos = {2, 2};

static void *copy(void *source) {
    memcpy(&shared, source, sizeof shared);
    return 0;
}

int main(void) {
    pthread_t first, second;
    if (nondet_int() != 123456) return 0;
    pthread_create(&first, 0, copy, &ones);
    pthread_create(&second, 0, copy, &twos);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(shared.left == shared.right); // VIOLATION
    return 0;
}
