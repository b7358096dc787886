// Each addition is fine, both together are not.
// PROPERTY no-overflow
// EXPECT violated
#include <pthread.h>
#include <limits.h>

int x = INT_MAX - 3;
void *add(void *arg) {
    x = x + 2; // VIOLATION
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
