// PROPERTY valid-deref
// EXPECT violated
static const int k = 3;

int main(void)
{
    *(int *)&k = 4; // VIOLATION
    return 0;
}
