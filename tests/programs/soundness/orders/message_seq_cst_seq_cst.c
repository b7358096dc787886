// Message passing: a store that is seq_cst, a load that is seq_cst.
// PROPERTY no-data-race
// EXPECT proved
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int data;
int flag;

void *first(void *arg) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    return 0;
}

void *second(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST)) data = 2;
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
