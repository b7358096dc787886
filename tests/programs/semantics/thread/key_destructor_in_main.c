// The end of main by pthread_exit runs its destructors.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_key_t k;
int own;

void destroy(void *value) {
    assert(value == 0); // VIOLATION
}

int main(void) {
    pthread_key_create(&k, destroy);
    pthread_setspecific(k, &own);
    pthread_exit(0);
}
