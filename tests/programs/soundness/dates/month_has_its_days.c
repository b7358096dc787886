// EXPECT proved
// NONDET 0..1
#include <assert.h>
#include <time.h>

int main(void) {
    static const int days[12] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    time_t moment = 951782400;
    struct tm date;
    localtime_r(&moment, &date);
    assert(date.tm_mday <= days[date.tm_mon]);
    assert(date.tm_mon != 1 || date.tm_mday < 29 || date.tm_year % 4 == 0);
    return 0;
}
