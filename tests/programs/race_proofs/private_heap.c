// Objects that a thread keeps to itself.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

struct node {
    int v;
    struct node *next;
};

void *first(void *arg) {
    struct node *p = malloc(sizeof *p);
    p->next = malloc(sizeof *p);
    p->next->v = 1;
    free(p->next);
    free(p);
    return 0;
}

void *second(void *arg) {
    struct node *p = malloc(sizeof *p);
    p->v = 2;
    free(p);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
