// A record is used under the lock of another one.
// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
struct record {
    int data;
    pthread_mutex_t lock;
} a[3];
void *work(void *p) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 3 || j < 0 || j >= 3) return 0;
    struct record *own = &a[i];
    pthread_mutex_lock(&a[j].lock);
    assert(own->data == 0); // VIOLATION
    own->data = 1;
    own->data = 0;
    pthread_mutex_unlock(&a[j].lock);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}
