// EXPECT proved
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t gone, kept, next, last;
    pthread_key_create(&gone, 0);
    pthread_key_create(&kept, 0);
    pthread_key_delete(gone);
    pthread_key_create(&next, 0);
    pthread_key_create(&last, 0);
    assert(next != kept && last != kept && next != last);
    return 0;
}
