// Waiting written as an assume: no loop, so there is a proof.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);

int flag1, flag2, turn, inside;

void *first(void *arg) {
    flag1 = 1;
    turn = 2;
    __VERIFIER_assume(!flag2 || turn == 1);
    inside = 1;
    assert(inside == 1);
    flag1 = 0;
    return 0;
}

void *second(void *arg) {
    flag2 = 1;
    turn = 1;
    __VERIFIER_assume(!flag1 || turn == 2);
    inside = 2;
    assert(inside == 2);
    flag2 = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
