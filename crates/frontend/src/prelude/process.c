static void (*__gordian_atexit_table[32])(void);
static int __gordian_atexit_count;

int atexit(void (*function)(void))
{
    if (__gordian_atexit_count >= 32)
        return -1;
    __gordian_atexit_table[__gordian_atexit_count] = function;
    __gordian_atexit_count = __gordian_atexit_count + 1;
    return 0;
}

void __gordian_run_atexit(void)
{
    while (__gordian_atexit_count > 0) {
        __gordian_atexit_count = __gordian_atexit_count - 1;
        __gordian_atexit_table[__gordian_atexit_count]();
    }
}

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long size);

/* Null, or a string of up to seven characters. */
char *__gordian_environment_string(void)
{
    static char buffer[8];
    int present = __VERIFIER_nondet_int();
    if (present == 0)
        return 0;
    for (int i = 0; i < 7; i++)
        buffer[i] = __VERIFIER_nondet_char();
    buffer[7] = 0;
    return buffer;
}

static __thread void *__gordian_key_values[16];
static void (*__gordian_key_destructors[16])(void *);
static unsigned __gordian_key_count;

int pthread_key_create(unsigned int *key, void (*destructor)(void *))
{
    __VERIFIER_atomic_begin();
    unsigned mine = __gordian_key_count;
    if (mine < 16)
        __gordian_key_count = mine + 1;
    __VERIFIER_atomic_end();
    if (mine >= 16)
        return 11;
    __gordian_key_destructors[mine] = destructor;
    *key = mine;
    return 0;
}

int pthread_key_delete(unsigned int key) { return key < 16 ? 0 : 22; }

int pthread_setspecific(unsigned int key, const void *value)
{
    if (key >= 16)
        return 22;
    __gordian_key_values[key] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned int key) { return key < 16 ? __gordian_key_values[key] : 0; }

int tss_create(unsigned int *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
int tss_set(unsigned int key, void *value) { return pthread_setspecific(key, value); }
void *tss_get(unsigned int key) { return pthread_getspecific(key); }
void tss_delete(unsigned int key) { pthread_key_delete(key); }
