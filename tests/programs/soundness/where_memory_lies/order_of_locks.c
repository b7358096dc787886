// Two threads take two locks in the order of their addresses.
// PROPERTY no-deadlock
// EXPECT proved
// TREES unknown integer arithmetic on a pointer value
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account *one, *two;

static void move(struct account *from, struct account *to) {
    struct account *first = from, *second = to;
    if ((uintptr_t)first > (uintptr_t)second) {
        first = to;
        second = from;
    }
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *back(void *unused) {
    move(two, one);
    return unused;
}

int main(void) {
    one = calloc(1, sizeof *one);
    two = calloc(1, sizeof *two);
    pthread_mutex_init(&one->lock, 0);
    pthread_mutex_init(&two->lock, 0);
    pthread_t thread;
    pthread_create(&thread, 0, back, 0);
    move(one, two);
    pthread_join(thread, 0);
    return 0;
}
