// PROPERTY valid-deref
// EXPECT never-proved
// UNWIND 9
#include <string.h>

int main(int argc, char **argv)
{
    char b[8];
    if (argc < 2)
        return 0;
    strcpy(b, argv[1]);
    return 0;
}
