// The words of CBMC and ESBMC.
// EXPECT proved
// NONDET -3..3
#include <pthread.h>

int nondet_int(void);
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

int count;

void *add(void *unused) {
    __CPROVER_atomic_begin();
    count = count + 1;
    __CPROVER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    int start = nondet_int();
    __CPROVER_assume(start > 1);
    count = start;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    __CPROVER_assert(count == start + 2, "both are counted");
    return 0;
}
