// There is room for both additions.
// PROPERTY no-overflow
// EXPECT proved
#include <pthread.h>
#include <limits.h>

int x = INT_MAX - 4;
void *add(void *arg) {
    x = x + 2;
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
