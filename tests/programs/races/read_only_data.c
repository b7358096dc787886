// Nobody writes once there are threads.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int table[2];

void *first(void *arg) {
    int a = table[0]; // NORACE
    (void)a;
    return 0;
}

void *second(void *arg) {
    int b = table[0]; // NORACE
    (void)b;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    table[0] = 7;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
