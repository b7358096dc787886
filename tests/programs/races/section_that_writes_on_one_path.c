// The section writes the pointer on one of its paths and follows it afterwards.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int flag = 1;
int cell;
int *pointer = &flag;

void *redirect(void *unused)
{
    __VERIFIER_atomic_begin();
    if (flag)
        pointer = &cell; // RACE
    *pointer = 0; // RACE
    __VERIFIER_atomic_end();
    return NULL;
}

void *direct(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = flag;
    pointer = &cell; // RACE
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, direct, NULL);
    pthread_create(&second, NULL, redirect, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
