// ctime() writes what localtime() returns.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <time.h>

static void *writer(void *unused) {
    time_t begin = 0;
    ctime(&begin); // RACE
    return unused;
}

int main(void) {
    time_t begin = 0;
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct tm *date = localtime(&begin); // RACE
    pthread_join(thread, 0);
    return date == 0;
}
