// EXPECT unknown
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}
int main(void) {
    int position = 0;
    report("abc%n\n", &position);
    assert(position == 0);
    return 0;
}
