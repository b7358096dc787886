// EXPECT proved
#include <ctype.h>
#include <assert.h>

int main(void) {
    assert(isdigit('7') && !isdigit('x') && isalpha('x') && isalnum('7') && !isalnum('-'));
    assert(isupper('X') && islower('x') && isspace('\t') && ispunct('-') && isxdigit('f'));
    assert(toupper('x') == 'X' && tolower('X') == 'x' && tolower('7') == '7');
    return 0;
}
