// PROPERTY valid-deref
// EXPECT violated
struct numbers { int items[2]; } one, other;

int main(void)
{
    int *items = __builtin_choose_expr(1, (one = other), 0).items;
    return *items; // VIOLATION
}
