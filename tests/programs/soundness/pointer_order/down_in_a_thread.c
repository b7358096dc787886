// Without bounds: a pointer that goes down stays above what it is compared with.
// PROPERTY valid-deref
// EXPECT holds
#include <pthread.h>
char text[50];

static void *clear(void *unused) {
    (void)unused;
    for (char *p = text + 49; p >= text; p--) *p = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, clear, 0);
    pthread_join(thread, 0);
    return 0;
}
