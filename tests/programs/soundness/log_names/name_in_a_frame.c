// PROPERTY valid-deref
// EXPECT violated
#include <syslog.h>

static void begin(void) {
    char name[] = "me";
    openlog(name, LOG_PID, LOG_DAEMON);
}

int main(void) {
    begin();
    syslog(LOG_ERR, "%s", "started"); // VIOLATION
    return 0;
}
