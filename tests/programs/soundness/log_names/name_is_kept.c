// PROPERTY valid-deref
// EXPECT proved
#include <stdlib.h>
#include <syslog.h>

int main(void) {
    char *name = malloc(2);
    syslog(LOG_INFO, "no name yet");
    name[0] = 'n';
    name[1] = 0;
    openlog(name, 0, LOG_USER);
    syslog(LOG_INFO, "started");
    closelog();
    free(name);
    syslog(LOG_INFO, "%d", 1);
    openlog("me", 0, LOG_USER);
    syslog(LOG_INFO, "ended");
    return 0;
}
