// EXPECT violated
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t first, second;
    pthread_key_create(&first, 0);
    pthread_key_delete(first);
    pthread_key_create(&second, 0);
    assert(first != second); // VIOLATION
    return 0;
}
