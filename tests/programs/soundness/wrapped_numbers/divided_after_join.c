// Quotients and remainders of negative numbers are rounded towards zero; after the join nothing races.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int a[4];

static void *t(void *arg) {
    int n = -7;
    a[-(n / 2)] = 1;
    a[-(n % 3)] = 2;
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    a[0] = 1;
    a[2] = 2;
    pthread_join(h, 0);
    a[3] = 3;
    a[1] = 3;
    return 0;
}
