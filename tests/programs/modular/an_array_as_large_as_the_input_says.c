// The main thread fills an array of any size, two threads read it, each from its own end.
// PROPERTY valid-deref
// EXPECT unbounded
// NONDET 0..3
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *a;
int n;
int first, last;

void *forwards(void *unused) {
    for (int i = 0; i < n; i++)
        first += a[i];
    return 0;
}

void *backwards(void *unused) {
    for (int i = n - 1; i >= 0; i--)
        last += a[i];
    return 0;
}

int main(void) {
    pthread_t t, u;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = 0;
    pthread_create(&t, 0, forwards, 0);
    pthread_create(&u, 0, backwards, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    free(a);
    return 0;
}
