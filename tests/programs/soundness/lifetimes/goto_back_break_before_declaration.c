// The object ends where its block is left, even if that is before its declaration.
// PROPERTY valid-deref
// EXPECT violated
int main(void)
{
    int n = 0, *p = 0;
    for (;;) {
    again:
        if (n == 1)
            break;
        int x = 3;
        if (n++ == 0) {
            p = &x;
            goto again;
        }
    }
    return *p; // VIOLATION
}
