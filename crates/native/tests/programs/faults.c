// One wrong thing for each macro; all depend on what the other thread has done.
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static int big = INT_MAX - 1, least = INT_MIN + 1, zero = 1, count = 31, negative;
static pthread_mutex_t *raw;

static void *other(void *unused)
{
    big = INT_MAX;
    least = INT_MIN;
    zero = 0;
    count = 32;
    negative = -1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int *memory = malloc(sizeof *memory), result = 0;
    raw = malloc(sizeof *raw);
    pthread_create(&thread, NULL, other, NULL);
#if defined(OVERFLOW)
    result = big + 1;
#elif defined(NEGATION)
    result = -least;
#elif defined(QUOTIENT)
    result = least / (zero * 2 - 1);
#elif defined(SHIFTED_OUT)
    result = big << 1 >> 1;
#elif defined(SHIFT)
    result = (int)(1u << count);
#elif defined(NEGATIVE)
    result = negative << 2;
#elif defined(DIVISION)
    result = 7 % zero;
#elif defined(RAW_MUTEX)
    pthread_mutex_lock(raw);
#elif defined(LOST_MEMORY)
    memory = NULL;
#elif defined(LEFT_MEMORY)
    if (big == INT_MAX)
        memory = NULL;
#elif defined(LEFT_THREAD)
    return result;
#endif
    pthread_join(thread, NULL);
    free(memory);
    free(raw);
    return result;
}
