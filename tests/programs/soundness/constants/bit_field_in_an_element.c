// As `bit_field_as_bytes`, inside of elements of a larger object.
// PROPERTY valid-deref
// EXPECT unknown

struct flags { const unsigned kind : 3; unsigned level : 3; };
struct table { int count; struct flags flags[2]; };
static struct table table;

int main(void)
{
    char *bytes = (char *)&table;
    bytes[sizeof(int)] = 1;
    return table.flags[0].kind;
}
