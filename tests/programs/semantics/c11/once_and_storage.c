// EXPECT proved
#include <threads.h>
#include <assert.h>

once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int count, value;

void initialise(void) { count++; }

int worker(void *arg) {
    call_once(&flag, initialise);
    assert(count == 1);
    assert(tss_get(key) == 0);
    return 0;
}

int main(void) {
    thrd_t t;
    assert(tss_create(&key, 0) == thrd_success);
    assert(tss_set(key, &value) == thrd_success);
    thrd_create(&t, worker, 0);
    call_once(&flag, initialise);
    thrd_join(t, 0);
    assert(count == 1);
    assert(tss_get(key) == &value);
    tss_delete(key);
    return 0;
}
