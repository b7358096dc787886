// The exact value of a hash is known, too, where it excludes the write.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

static void *t(void *arg) {
    unsigned h = 5381;
    for (int i = 0; i < 8; i++)
        h = h * 33 + 97;
    if (h == 5381)
        x = 1;
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    x = 2;
    pthread_join(h, 0);
    return 0;
}
