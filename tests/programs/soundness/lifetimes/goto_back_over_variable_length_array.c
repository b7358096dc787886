// A variable-length array ends when control goes back to before its declaration (C11 6.2.4 p7).
// PROPERTY valid-deref
// EXPECT violated
int main(void)
{
    int n = 0, *p = 0;
again:;
    int x[n + 1];
    x[0] = 1;
    if (n++ == 0) {
        p = x;
        goto again;
    }
    return *p; // VIOLATION
}
