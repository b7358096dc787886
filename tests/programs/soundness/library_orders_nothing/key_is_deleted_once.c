// EXPECT proved
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int other;

static void *run(void *unused)
{
    other = pthread_key_delete(key);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, run, 0);
    int own = pthread_key_delete(key);
    pthread_join(thread, 0);
    assert((own == 0) != (other == 0));
    return 0;
}
