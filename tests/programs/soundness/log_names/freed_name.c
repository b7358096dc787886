// openlog() keeps the address of the name.
// PROPERTY valid-deref
// EXPECT violated
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

int main(void) {
    char *name = malloc(2);
    name[0] = 'n';
    name[1] = 0;
    openlog(name, 0, LOG_USER);
    free(name);
    syslog(LOG_INFO, "started"); // VIOLATION
    return 0;
}
