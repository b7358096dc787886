// EXPECT proved
#include <assert.h>
#include <time.h>

int main(void) {
    time_t moment = 951782400;
    struct tm date;
    char text[16];
    assert(gmtime_r(&moment, &date) == &date);
    assert(date.tm_year == 100 && date.tm_mon == 1 && date.tm_mday == 29 && date.tm_wday == 2 && date.tm_isdst == 0);
    assert(strftime(text, sizeof text, "%Y-%m-%d", &date) == 10);
    assert(text[3] == '0' && text[9] == '9');
    return 0;
}
