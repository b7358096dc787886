// Figure 5: the violation t1 t5 t2 makes the first thread leave its recorded path, so that t4 is never executed.
#include <pthread.h>

int x;

void gordian_atomic_begin(void) {}
void gordian_atomic_end(void) {}

void *second(void *unused) {
    int b;
    x = 3;
    b = x;
    return b ? 0 : unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    gordian_atomic_begin();
    x = 0;
    int a = x + 1;
    gordian_atomic_end();
    if (a == 1)
        x = 2;
    pthread_join(t, 0);
    return 0;
}
