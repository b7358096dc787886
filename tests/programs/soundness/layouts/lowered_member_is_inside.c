// As many bytes as the structure has are enough for its last member.
// PROPERTY valid-deref
// EXPECT proved
#include <stdlib.h>

typedef long long loose __attribute__((aligned(4)));
struct record { int first; loose second; };

int main(void)
{
    struct record *record = malloc(12);
    record->second = 1;
    free(record);
    return 0;
}
