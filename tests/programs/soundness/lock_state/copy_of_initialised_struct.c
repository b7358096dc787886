// A structure with a mutex that is returned by value, and one that is copied to the heap.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t m;
};

static struct account fresh(void) {
    struct account new = { 5, PTHREAD_MUTEX_INITIALIZER };
    return new;
}

int main(void) {
    struct account a = fresh();
    pthread_mutex_lock(&a.m);
    a.balance++;
    pthread_mutex_unlock(&a.m);
    struct account *b = malloc(sizeof *b);
    *b = a;
    pthread_mutex_lock(&b->m);
    b->balance++;
    pthread_mutex_unlock(&b->m);
    free(b);
    return 0;
}
