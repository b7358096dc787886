// Each thread gets an object of its own, which nobody frees.
// PROPERTY valid-deref
// EXPECT unbounded
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct task {
    int number;
    int result[4];
};

void *worker(void *argument) {
    struct task *own = argument;
    for (int i = 0; i < 4; i++)
        own->result[i] = own->number;
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        struct task *own = malloc(sizeof(struct task));
        own->number = 3;
        pthread_create(&t, 0, worker, own);
    }
    return 0;
}
