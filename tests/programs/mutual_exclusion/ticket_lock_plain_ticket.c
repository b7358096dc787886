// Tickets taken without atomicity can be equal.
// EXPECT violated
// UNWIND 3
#include <pthread.h>
#include <assert.h>

int next_ticket, now_serving, x;

void *first(void *arg) {
    int mine = next_ticket++;
    while (now_serving != mine) ;
    x++;
    now_serving = mine + 1;
    return 0;
}

void *second(void *arg) {
    int mine = next_ticket++;
    while (now_serving != mine) ;
    x++;
    now_serving = mine + 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2); // VIOLATION
    return 0;
}
