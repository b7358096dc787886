// A pointer is moved in halves while another thread, created by a third one, goes through it.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown byte-wise access to a pointer
#include <pthread.h>
#include <string.h>

int x;
int *p = &x;
pthread_t user;

static void *use(void *arg) {
    *p = 0; // RACE
    return 0;
}

static void *move(void *arg) {
    memmove((char *)&p, (char *)&p, 4); // RACE
    memmove((char *)&p + 4, (char *)&p + 4, 4); // RACE
    return 0;
}

static void *create(void *arg) {
    pthread_create(&user, 0, use, 0);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, create, 0);
    pthread_create(&second, 0, move, 0);
    return 0;
}
