// An attribute of one byte has no room for the kind of a mutex.
// EXPECT unknown
// NATIVE no its own declarations are not those of the system

typedef struct { int x; } pthread_mutex_t;
typedef struct { char c; } pthread_mutexattr_t;
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
void __VERIFIER_assert(int);

int main(void)
{
	pthread_mutex_t m;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, 1);
	pthread_mutex_init(&m, &kind);
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	__VERIFIER_assert(0);
	return 0;
}
