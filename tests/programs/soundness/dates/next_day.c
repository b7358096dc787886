// PROPERTY no-overflow
// EXPECT proved
#include <time.h>

int main(void) {
    struct tm date = {.tm_year = 124, .tm_mon = 11, .tm_mday = 31, .tm_hour = 12, .tm_isdst = -1};
    date.tm_mday += 1;
    if (mktime(&date) == -1)
        return 1;
    return date.tm_year + 1900 < 2024;
}
