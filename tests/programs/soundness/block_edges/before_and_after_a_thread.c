// A union is filled in part before the thread is created, and in part after it has been joined.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <string.h>

union words {
    int number;
    char letters[4];
    float real;
};
union words shared;

static void *look(void *unused) {
    assert(shared.number == 0x00626100);
    return unused;
}

int main(void) {
    pthread_t thread;
    memcpy(shared.letters + 1, "ab", 2);
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    memset(&shared, 'c', 2);
    assert(shared.number == 0x00626363);
    shared.real = 1.0f;
    memset(&shared, 0, 2);
    assert(shared.real == 1.0f);
    return 0;
}
