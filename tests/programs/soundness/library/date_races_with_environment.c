// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *writer(void *unused) {
    setenv("TZ", "UTC", 1); // RACE
    return unused;
}

int main(void) {
    time_t moment = 0;
    struct tm date;
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    gmtime_r(&moment, &date); // RACE
    pthread_join(thread, 0);
    return 0;
}
