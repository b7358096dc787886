// EXPECT holds
// UNWIND 2
#include <pthread.h>
#include <assert.h>

int want1, want2, turn = 1, inside;

void *first(void *arg) {
    want1 = 1;
    while (want2) {
        if (turn == 2) {
            want1 = 0;
            while (turn == 2) ;
            want1 = 1;
        }
    }
    inside = 1;
    assert(inside == 1);
    turn = 2;
    want1 = 0;
    return 0;
}

void *second(void *arg) {
    want2 = 1;
    while (want1) {
        if (turn == 1) {
            want2 = 0;
            while (turn == 1) ;
            want2 = 1;
        }
    }
    inside = 2;
    assert(inside == 2);
    turn = 1;
    want2 = 0;
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
