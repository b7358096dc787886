// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <time.h>

int main(void) {
    time_t moment = 951782400;
    struct tm date;
    localtime_r(&moment, &date);
    assert(date.tm_hour == 0); // VIOLATION
    return 0;
}
