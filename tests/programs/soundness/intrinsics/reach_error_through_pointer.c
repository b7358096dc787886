// PROPERTY unreach-call
// EXPECT violated
extern void reach_error(void);

int main(void)
{
    void (*f)(void) = reach_error;
    f(); // VIOLATION
    return 0;
}
