// What one path does inside of an atomic section is not mixed up with what another does after it.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int flag;
int count;
int *data;

void *make(void *unused) {
    __VERIFIER_atomic_begin();
    if (flag) {
        free(data);
    } else {
        count = __atomic_fetch_or(&flag, 0, __ATOMIC_SEQ_CST);
    }
    data = realloc(data, sizeof(int));
    __VERIFIER_atomic_end();
    (*data)++;
    return unused;
}

void *look(void *unused) {
    assert(*data != 0); // VIOLATION
    return unused;
}

int main(void) {
    pthread_t making, looking;
    pthread_create(&looking, 0, look, 0);
    pthread_create(&making, 0, make, 0);
    return __atomic_load_n(&flag, __ATOMIC_SEQ_CST);
}
