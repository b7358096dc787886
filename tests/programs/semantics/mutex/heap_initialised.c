// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

int main(void) {
    struct account *a = malloc(sizeof *a);
    struct account *b = calloc(1, sizeof *b);
    pthread_mutex_init(&a->lock, 0);
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_destroy(&a->lock);
    free(a);
    free(b);
    return 0;
}
