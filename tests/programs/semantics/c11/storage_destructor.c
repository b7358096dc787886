// EXPECT proved
#include <threads.h>
#include <assert.h>

tss_t k;
int own, ran;

void destroy(void *value) {
    assert(value == &own);
    ran++;
}

int returns(void *arg) {
    tss_set(k, &own);
    return 0;
}

int exits(void *arg) {
    tss_set(k, &own);
    thrd_exit(0);
}

int main(void) {
    thrd_t t;
    tss_create(&k, destroy);
    thrd_create(&t, returns, 0);
    thrd_join(t, 0);
    assert(ran == 1);
    thrd_create(&t, exits, 0);
    thrd_join(t, 0);
    assert(ran == 2);
    tss_delete(k);
    return 0;
}
