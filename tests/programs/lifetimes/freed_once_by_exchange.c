// Only one thread gets the pointer.
// PROPERTY valid-free
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int *shared;
void *drop(void *arg) {
    free(__atomic_exchange_n(&shared, (int *)0, __ATOMIC_SEQ_CST));
    return 0;
}
int main(void) {
    pthread_t a, b;
    shared = malloc(sizeof(int));
    pthread_create(&a, 0, drop, 0);
    pthread_create(&b, 0, drop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
