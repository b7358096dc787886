// EXPECT proved
#include <time.h>
#include <assert.h>

int main(void) {
    time_t now = time(0);
    struct tm date;
    struct tm *same = localtime_r(&now, &date);
    assert(same == &date);
    if (date.tm_hour >= 0 && date.tm_hour < 24)
        assert(date.tm_hour * 60 < 1440);
    return 0;
}
