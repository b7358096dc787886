// EXPECT proved
#include <assert.h>
#include <string.h>

int length(char *text) { return (int)strlen(text); }

int main(void)
{
    assert(((int (*)(const char *))length)("four") == 4);
    assert(((unsigned (*)())length)("six") == 3);
    return 0;
}
