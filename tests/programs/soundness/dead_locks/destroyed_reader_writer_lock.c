// As destroyed_by_its_holder.c, for a reader-writer lock in a structure; the process ends before it is given back.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

struct table {
    int size;
    pthread_rwlock_t lock;
} table;

static void *reader(void *arg) {
    pthread_rwlock_rdlock(&table.lock); // RACE
    pthread_rwlock_unlock(&table.lock); // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    pthread_rwlock_wrlock(&table.lock);
    pthread_rwlock_destroy(&table.lock); // RACE
    exit(0);
}
