// EXPECT proved
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
    int number = 3;
    report("number %d\n", number);
    report("nothing\n");
    assert(number == 3);
    return 0;
}
