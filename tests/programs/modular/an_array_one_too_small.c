// As in `an_array_as_large_as_the_input_says.c`, but one thread reads what lies behind the array.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 1..2
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *a;
int n;
int first;

void *forwards(void *unused) {
    for (int i = 0; i <= n; i++)
        first += a[i]; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = 0;
    pthread_create(&t, 0, forwards, 0);
    pthread_join(t, 0);
    free(a);
    return 0;
}
