// A negative number is shifted to the left.
// PROPERTY no-bad-shift
// EXPECT violated
#include <pthread.h>

int x = 1;
void *lower(void *arg) {
    x = x - 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, lower, 0);
    int y = x << 1; // VIOLATION
    pthread_join(t, 0);
    return y;
}
