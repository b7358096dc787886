// As hash_decides, behind an input that random testing does not guess.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
int x;

static void *t(void *arg) {
    unsigned h = 2166136261u;
    for (int i = 0; i < 9; i++)
        h = (h ^ (unsigned)i) * 16777619u;
    if (h == 3756081660u)
        return 0;
    x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    if (nondet_int() != 123456)
        return 0;
    pthread_create(&h, 0, t, 0);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}
