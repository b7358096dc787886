// PROPERTY valid-deref
// EXPECT violated
int main(void)
{
    const int k = 3;
    *(int *)&k = 4; // VIOLATION
    return k;
}
