// EXPECT proved
// Which text it is depends on the order; that both pointers lead into it does not.
#include <assert.h>
#include <pthread.h>

char first[4] = "abc", second[8] = "defghij";
char *text = first;

void *replace(void *unused)
{
    text = second;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, replace, 0);
    char *start = text, *at = start + 2;
    assert(at > start);
    assert(at - start == 2);
    pthread_join(thread, 0);
    return 0;
}
