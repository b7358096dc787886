// What depends on an unknown value stays in the program: reach_error() may be called.
// PROPERTY unreach-call
// EXPECT unknown
extern void reach_error(void);
extern int outside(int);

int main(void)
{
    if (outside(3) == 7)
        reach_error();
    return 0;
}
