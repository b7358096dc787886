// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <syslog.h>
char name[4] = "abc";
void *rename_it(void *unused) {
    name[0] = 'x'; // RACE
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, rename_it, 0);
    syslog(LOG_ERR, "%m (%s)", name); // RACE
    pthread_join(thread, 0);
    return 0;
}
