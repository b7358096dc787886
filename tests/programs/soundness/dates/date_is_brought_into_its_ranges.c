// EXPECT proved
#include <assert.h>
#include <time.h>

int main(void) {
    struct tm date = {.tm_year = 123, .tm_mon = 13, .tm_mday = 15, .tm_hour = 12, .tm_isdst = -1};
    time_t moment = mktime(&date);
    assert(moment > 1707800000 && moment < 1708200000);
    assert(date.tm_year == 124 && date.tm_mon == 1 && date.tm_mday >= 14 && date.tm_mday <= 16);
    return 0;
}
