// PROPERTY valid-deref
// EXPECT violated
static int *leave(void)
{
    int n = 0, *p = 0;
again:
    if (n == 1)
        return p;
    int x = 3;
    n++;
    p = &x;
    goto again;
}

int main(void)
{
    return *leave(); // VIOLATION
}
