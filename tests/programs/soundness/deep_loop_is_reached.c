// Ten rounds are needed to see the violation; the loop is deepened.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int x;

void *counter(void *arg) {
    for (int i = 0; i < 10; i++) x = i;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, counter, 0);
    assert(x != 9); // VIOLATION
    return 0;
}
