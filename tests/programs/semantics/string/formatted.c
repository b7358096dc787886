// EXPECT proved
// ENGINES unknown sprintf and snprintf
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
#include <assert.h>

char text[64];

int format(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

int main(void) {
    assert(sprintf(text, "%d %u %x %c %s %%", -5, 7u, 255, 'k', "not") == 15);
    assert(strcmp(text, "-5 7 ff k not %") == 0);
    sprintf(text, "[%05d|%-4d|%4d|%.3d|%+d]", -42, 7, 7, 7, 7);
    assert(strcmp(text, "[-0042|7   |   7|007|+7]") == 0);
    sprintf(text, "[%ld %lu %zu %lld %hhd]", -1L, ~0UL >> 60, sizeof(int), 1LL << 40, 300);
    assert(strcmp(text, "[-1 15 4 1099511627776 44]") == 0);
    sprintf(text, "[%8.3s|%-6s|%*d|%p]", "abcdef", "xy", 3, 9, (void *)0);
    assert(strcmp(text, "[     abc|xy    |  9|(nil)]") == 0);
    sprintf(text, "%#x %08X %o %.0d.", 255, 0xbeef, 8, 0);
    assert(strcmp(text, "0xff 0000BEEF 10 .") == 0);
    strcpy(text, "????????");
    assert(snprintf(text, 4, "%d", 123456) == 6 && strcmp(text, "123") == 0 && text[4] == '?');
    assert(snprintf(text, 0, "%d", 99) == 2 && text[0] == '1');
    assert(snprintf(0, 0, "%s", "four") == 4);
    assert(format(text, sizeof text, "%s=%d", "n", 3) == 3 && strcmp(text, "n=3") == 0);
    return 0;
}
