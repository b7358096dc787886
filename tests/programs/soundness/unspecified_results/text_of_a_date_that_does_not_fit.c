// EXPECT violated
// NONDET 0..1
#include <assert.h>
#include <time.h>
int main(void) {
    struct tm date = {.tm_year = 100, .tm_mday = 1};
    char text[3] = "";
    if (strftime(text, sizeof text, "%Y", &date) == 0)
        assert(text[0] == '\0' || text[0] == '2'); // VIOLATION
    return 0;
}
