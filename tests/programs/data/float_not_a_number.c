// An input that is not a number is not equal to itself. The explorer sees it where zero is divided by zero.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

double value;

void *divides(void *arg) {
    int input = __VERIFIER_nondet_int();
    value = (double)input / input;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, divides, 0);
    pthread_join(a, 0);
    assert(value == value); // VIOLATION
    return 0;
}
