// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[3]; } one, other;

int main(void)
{
    int *items = (one = other).items;
    return items[1]; // VIOLATION
}
