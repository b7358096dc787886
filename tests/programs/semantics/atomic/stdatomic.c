// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int x;
atomic_flag f = ATOMIC_FLAG_INIT;

void *worker(void *arg) {
    atomic_fetch_add(&x, 1);
    x++;
    return 0;
}

int main(void) {
    pthread_t t;
    int expected = 9;
    atomic_init(&x, 0);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(atomic_load(&x) == 4);
    assert(atomic_exchange(&x, 5) == 4);
    assert(!atomic_compare_exchange_strong(&x, &expected, 6) && expected == 5);
    assert(atomic_compare_exchange_strong(&x, &expected, 6) && x == 6);
    assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
    atomic_flag_clear(&f);
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    assert(atomic_fetch_or(&x, 6) == 1 && atomic_fetch_xor(&x, 1) == 7 && atomic_fetch_and(&x, 2) == 6);
    assert(atomic_fetch_sub(&x, 2) == 2);
    return 0;
}
