// Unions are assigned as bytes.
// EXPECT violated
// NONDET 123456..123456
#include <assert.h>
#include <pthread.h>

int nondet_int(void);
union words {
    int numbers[2];
    char letters[8];
} shared, ones = {{1, 1}}, twos = {{2, 2}};

static void *copy(void *source) {
    shared = *(union words *)source;
    return 0;
}

int main(void) {
    pthread_t first, second;
    if (nondet_int() != 123456) return 0;
    pthread_create(&first, 0, copy, &ones);
    pthread_create(&second, 0, copy, &twos);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(shared.numbers[0] == shared.numbers[1]); // VIOLATION
    return 0;
}
