// EXPECT holds
// UNWIND 3
#include <pthread.h>
#include <assert.h>

int next_ticket, now_serving, x;

void *first(void *arg) {
    int mine = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&now_serving, __ATOMIC_SEQ_CST) != mine) ;
    x++;
    __atomic_store_n(&now_serving, mine + 1, __ATOMIC_SEQ_CST);
    return 0;
}

void *second(void *arg) {
    int mine = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&now_serving, __ATOMIC_SEQ_CST) != mine) ;
    x++;
    __atomic_store_n(&now_serving, mine + 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2);
    return 0;
}
