// EXPECT proved
#include <assert.h>

extern long __isoc23_strtol(const char *, char **, int);
extern unsigned long __isoc23_strtoul(const char *, char **, int);
extern int __isoc23_sscanf(const char *, const char *, ...);

int main(void) {
    char *end;
    int number = 0;
    assert(__isoc23_strtol("-0b101", &end, 0) == -5 && *end == 0);
    assert(__isoc23_strtoul("0b2", &end, 2) == 0 && *end == 'b');
    assert(__isoc23_strtol("0x1f", &end, 0) == 31);
    assert(__isoc23_sscanf("0b11", "%i", &number) == 1 && number == 3);
    return 0;
}
