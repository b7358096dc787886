// Figure 9 (a): the second thread writes only after it has seen what the transaction wrote.
#include <pthread.h>

int x;

void gordian_atomic_begin(void) {}
void gordian_atomic_end(void) {}

void *second(void *unused) {
    int b = x;
    if (b > 0)
        x = 5;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    gordian_atomic_begin();
    int a = x;
    x = a + 1;
    gordian_atomic_end();
    pthread_join(t, 0);
    return 0;
}
