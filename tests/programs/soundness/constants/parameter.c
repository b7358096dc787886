// PROPERTY valid-deref
// EXPECT violated
static void change(const int k)
{
    int *p = (int *)&k;
    *p = 4; // VIOLATION
}

int main(void)
{
    change(3);
    return 0;
}
