// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <syslog.h>

static char name[] = "me";

static void *rename_process(void *own) {
    name[0] = 'w'; // RACE
    return 0;
}

int main(void) {
    pthread_t thread;
    openlog(name, 0, LOG_USER);
    pthread_create(&thread, 0, rename_process, 0);
    syslog(LOG_INFO, "started"); // RACE
    pthread_join(thread, 0);
    return 0;
}
