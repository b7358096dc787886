// The loop is entered inside of the section and outside. A round that ends the section goes on under other conditions than
// those who never were in it.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int nondet_int(void);
_Atomic int shared;

void *writer(void *arg) {
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int in_section = nondet_int(), left = 0;
    if (in_section) __VERIFIER_atomic_begin();
    while (nondet_int()) {
        if (in_section && left) {
            int before = shared, after = shared;
            assert(before == after); // VIOLATION
        }
        if (in_section && !left) {
            __VERIFIER_atomic_end();
            left = 1;
        }
    }
    if (in_section && !left) __VERIFIER_atomic_end();
    pthread_join(t, 0);
    return 0;
}
