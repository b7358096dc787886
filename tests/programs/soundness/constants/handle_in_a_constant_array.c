// pthread_create writes the handle wherever it is told to, and an element of a constant array is no place for it. Behind
// an input that random testing does not guess.
// PROPERTY valid-deref
// NONDET 123456..123456
// EXPECT violated
#include <pthread.h>

int nondet_int(void);
static void *run(void *argument) { return argument; }

int main(void)
{
    const pthread_t threads[2] = {0, 0};
    if (nondet_int() == 123456)
        pthread_create((pthread_t *)&threads[1], 0, run, 0); // VIOLATION
    return 0;
}
