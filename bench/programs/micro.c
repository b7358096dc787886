// Threads that do nothing but increment a counter, STATEMENTS times each, without a loop. If statements are atomic, no
// increment is lost. With INPUTS each thread adds a number of the environment's choice instead.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef STATEMENTS
#define STATEMENTS 100
#endif

#ifdef INPUTS
extern unsigned __VERIFIER_nondet_uint(void);
#define CHOOSE unsigned step = __VERIFIER_nondet_uint() % 2
#else
#define CHOOSE unsigned step = 1
#endif

#define DO0(s)
#define DO1(s) s;
#define DO2(s) s; s;
#define DO3(s) DO2(s) s;
#define DO4(s) DO3(s) s;
#define DO5(s) DO4(s) s;
#define DO6(s) DO5(s) s;
#define DO7(s) DO6(s) s;
#define DO8(s) DO7(s) s;
#define DO9(s) DO8(s) s;
#define DO10(s) DO9(s) s;
#define DO20(s) DO10(s) DO10(s)
#define DO50(s) DO20(s) DO20(s) DO10(s)
#define DO100(s) DO50(s) DO50(s)
#define JOIN(a, b) a##b
#define TIMES(n, s) JOIN(DO, n)(s)

unsigned count = 0;

void *work(void *unused)
{
    CHOOSE;
    TIMES(STATEMENTS, count = count + step)
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
#ifdef INPUTS
    assert(count <= THREADS * STATEMENTS);
#else
    assert(count == THREADS * STATEMENTS);
#endif
    return 0;
}
