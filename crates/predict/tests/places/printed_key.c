// Texts that are printed into buffers, of numbers that no other thread can change, and a lost update beside them.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int total, number = 7;

int length_of_key(int index)
{
    char key[16];
    int length = snprintf(key, sizeof key, "%s-%03d %.1f", "key", index, 3.5);
    char digit[2];
    sprintf(digit, "%d", index);
    return strlen(key) == length && key[4] == '0' && strcmp(digit, "7") == 0 ? length : 0;
}

void *worker(void *unused)
{
#ifdef SHARED
    total += length_of_key(number++);
#else
    total += length_of_key(7);
#endif
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef BROKEN
    assert(total != 11);
#elif defined SHARED
    assert(total >= 0);
#else
    assert(total >= 11);
#endif
    return 0;
}
