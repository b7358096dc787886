// Wide characters need more room than is looked at.
// PROPERTY valid-deref
// EXPECT unknown
#include <stdio.h>
#include <wchar.h>
int main(void) {
    wchar_t text[2];
    sscanf("abcdef", "%ls", text);
    return 0;
}
