// EXPECT violated
#include <time.h>
#include <assert.h>

int main(void) {
    time_t now = time(0);
    struct tm date;
    gmtime_r(&now, &date);
    assert(date.tm_wday != 4); // VIOLATION
    return 0;
}
