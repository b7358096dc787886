// Each thread gives the turn to itself.
// EXPECT violated
// UNWIND 3
#include <pthread.h>
#include <assert.h>

int flag1, flag2, turn, inside;

void *first(void *arg) {
    flag1 = 1;
    turn = 1;
    while (flag2 && turn == 2) ;
    inside++;
    assert(inside == 1); // VIOLATION
    inside--;
    flag1 = 0;
    return 0;
}

void *second(void *arg) {
    flag2 = 1;
    turn = 2;
    while (flag1 && turn == 1) ;
    inside++;
    assert(inside == 1); // VIOLATION
    inside--;
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
