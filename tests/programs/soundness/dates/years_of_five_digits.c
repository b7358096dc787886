// EXPECT proved
#include <assert.h>
#include <time.h>

int main(void) {
    struct tm date = {.tm_year = 10000 - 1900, .tm_mday = 1};
    char text[8];
    assert(strftime(text, sizeof text, "%Y", &date) == 5 && text[0] == '1' && text[4] == '0');
    return 0;
}
