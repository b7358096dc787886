// The divisor is checked, then cleared, then used.
// PROPERTY no-div-by-zero
// EXPECT violated
#include <pthread.h>

int divisor = 2;
void *clear(void *arg) {
    divisor = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, clear, 0);
    int result = 0;
    if (divisor)
        result = 10 / divisor; // VIOLATION
    pthread_join(t, 0);
    return result;
}
