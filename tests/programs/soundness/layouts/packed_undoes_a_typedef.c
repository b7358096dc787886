// `packed` overrides what a typedef asks for, but not what the member itself asks for.
// EXPECT proved
#include <assert.h>
#include <stddef.h>

typedef int strict __attribute__((aligned(16)));
struct packed_record { char first; strict second; } __attribute__((packed));
struct packed_member { char first; strict second __attribute__((packed)); };
struct asked_for { char first; int second __attribute__((aligned(8))); } __attribute__((packed));

int main(void)
{
    assert(sizeof(struct packed_record) == 5 && offsetof(struct packed_record, second) == 1);
    assert(sizeof(struct packed_member) == 5);
    assert(offsetof(struct asked_for, second) == 8 && sizeof(struct asked_for) == 16);
    return 0;
}
