// EXPECT violated
// NONDET 947937600..947937601
#include <assert.h>
#include <time.h>

int main(void) {
    struct tm date = {.tm_year = 100, .tm_mday = 15, .tm_hour = 12, .tm_isdst = -1};
    assert(mktime(&date) == 947937600); // VIOLATION
    return 0;
}
