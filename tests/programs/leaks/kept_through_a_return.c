// Arrays of any size are made by a function, filled in a loop, and kept in globals that nobody overwrites.
// PROPERTY valid-memtrack
// EXPECT unbounded
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *first, *second;
int n;

static void check(int condition) {
    if (!condition)
        abort();
}

static int *make(int size) {
    check(size >= 0 && size < 1000);
    int *made = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++) {
        check(n >= 0);
        made[i] = __VERIFIER_nondet_int();
    }
    return made;
}

void *reader(void *unused) {
    for (int i = 0; i < n; i++)
        check(first[i] != 3);
    return 0;
}

int main(void) {
    pthread_t t;
    n = __VERIFIER_nondet_int();
    first = make(n);
    second = make(2);
    pthread_create(&t, 0, reader, 0);
    while (__VERIFIER_nondet_int())
        second[1]++;
    pthread_join(t, 0);
    return 0;
}
