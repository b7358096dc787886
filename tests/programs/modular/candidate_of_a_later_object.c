// What is always true of an object says nothing where it is not the one that is read: it may not exist yet.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int first = 1;
int *current = &first;
pthread_t later;

void *replace(void *unused) {
    current = calloc(1, sizeof(int));
    return unused;
}

void *clear(void *unused) {
    first = 0;
    return unused;
}

void *look(void *unused) {
    assert(*current != 0); // VIOLATION
    pthread_create(&later, 0, replace, 0);
    return unused;
}

int main(void) {
    pthread_t looking, clearing;
    pthread_create(&looking, 0, look, 0);
    pthread_create(&clearing, 0, clear, 0);
    return 0;
}
