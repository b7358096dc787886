// PROPERTY valid-deref
// EXPECT violated
static void change(int *p)
{
    *p = 4; // VIOLATION
}

int main(void)
{
    const int k = 3;
    change((int *)&k);
    return k;
}
