// EXPECT unknown
#include <assert.h>
#include <stdio.h>
int main(void) {
    int position = 0;
    char format[3] = "%d";
    format[1] = 'n';
    fprintf(stderr, format, &position);
    assert(position == 0);
    return 0;
}
