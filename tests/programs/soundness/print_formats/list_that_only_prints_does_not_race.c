// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int total;
static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}
void *work(void *unused) {
    pthread_mutex_lock(&lock);
    total++;
    report("total %d\n", total);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
