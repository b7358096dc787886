// Functions without prototypes, and with parameters that say nothing: the size is that of what they are given.
// EXPECT violated
// NATIVE no its own declarations are not those of the system

typedef struct { int x; } pthread_mutex_t;
int pthread_mutex_lock();
int pthread_mutex_unlock(void *);
void __VERIFIER_assert(int);

int main(void)
{
	pthread_mutex_t m = {0};
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	__VERIFIER_assert(0); // VIOLATION
	return 0;
}
