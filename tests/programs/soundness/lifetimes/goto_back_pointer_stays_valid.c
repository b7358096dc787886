// PROPERTY valid-deref
// EXPECT proved
int main(void)
{
    int n = 0, *p = 0;
again:;
    int x = 3;
    if (n++ == 0) {
        p = &x;
        goto again;
    }
    return *p - 3;
}
