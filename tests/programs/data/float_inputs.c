// Every `float` between 1 and 100, also those that the explorer does not try: multiplied, divided and converted.
// EXPECT proved
// NONDET 0..3
#include <assert.h>
#include <pthread.h>

extern float __VERIFIER_nondet_float(void);

float shared = 2.0f;

void *writer(void *arg) {
    float input = __VERIFIER_nondet_float();
    if (input > 1.0f && input < 100.0f)
        shared = input;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    float square = shared * shared;
    pthread_join(a, 0);
    assert(square > 1.0f);
    float inverse = 1.0f / shared;
    assert(inverse <= 1.0f && inverse > 0.005f);
    assert((int)shared >= 1 && (int)shared <= 99);
    return 0;
}
