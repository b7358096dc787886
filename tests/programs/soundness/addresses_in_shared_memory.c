// Pointers that other threads write are compared with each other; none of them is a bare number but for null.
// EXPECT proved
#include <assert.h>
#include <pthread.h>

int first, second;
int *current = &first;
int *previous;

void *advance(void *unused) {
    previous = current;
    current = &second;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, advance, 0);
    int *seen = previous;
    int *now = current;
    if (seen == now && seen != 0) {
        assert(seen == &first);
    }
    pthread_join(thread, 0);
    return 0;
}
