// Only the bytes of the lock are not known in a copy of a structure: what lies beside it is.
// EXPECT proved
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct account {
    long number;
    pthread_mutex_t mutex;
    int balance;
};

struct account account = {17, PTHREAD_MUTEX_INITIALIZER, 0};
char image[sizeof account];

int main(void) {
    struct account copy;
    pthread_mutex_lock(&account.mutex);
    account.balance = 100;
    pthread_mutex_unlock(&account.mutex);
    copy = account;
    assert(copy.number == 17 && copy.balance == 100);
    memcpy(image, &copy, sizeof copy);
    assert(((struct account *)image)->balance == 100);
    assert(pthread_mutex_trylock(&copy.mutex) == 0);
    return 0;
}
