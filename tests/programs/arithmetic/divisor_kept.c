// The divisor that was checked is the one that is used.
// PROPERTY no-div-by-zero
// EXPECT proved
#include <pthread.h>

int divisor = 2;
void *clear(void *arg) {
    divisor = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, clear, 0);
    int result = 0, d = divisor;
    if (d)
        result = 10 % d;
    pthread_join(t, 0);
    return result;
}
