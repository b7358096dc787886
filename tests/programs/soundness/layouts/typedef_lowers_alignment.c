// A typedef may ask for less than the alignment of its type.
// EXPECT proved
#include <assert.h>
#include <stddef.h>

typedef long long loose __attribute__((aligned(4)));
typedef loose loose_pair[2];
struct record { int first; loose second; };
struct holder { char first; loose_pair second; };

int main(void)
{
    assert(sizeof(struct record) == 12 && offsetof(struct record, second) == 4);
    assert(sizeof(struct holder) == 20 && offsetof(struct holder, second) == 4);
    assert(_Alignof(loose) == 4 && _Alignof(struct record) == 4);
    return 0;
}
