// EXPECT proved
#include <time.h>
#include <assert.h>
int main(void) {
    time_t now = time(0);
    struct tm *date = localtime(&now);
    assert(date->tm_mon >= 0 && date->tm_mon <= 11 && date->tm_mday >= 1 && date->tm_mday <= 31);
    assert(date->tm_year + 1900 >= 1969);
    return 0;
}
