extern void __gordian_unsupported(const char *what);
extern int __gordian_choice(void);
extern int *__errno_location(void);
extern void _exit(int status);

/* What is to be called at the end of the process, the last registration first: a stack whose elements are linked by their
   numbers from 1 on. Each call takes one step, also while handlers are running, and orders nothing. */
static void (*__gordian_atexit_functions[32])(void);
static int __gordian_atexit_below[32], __gordian_atexit_count, __gordian_atexit_last;

int atexit(void (*function)(void))
{
    int mine = __atomic_fetch_add(&__gordian_atexit_count, 1, 0), last = __atomic_load_n(&__gordian_atexit_last, 0);
    if (mine >= 32)
        __gordian_unsupported("more than 32 functions for the end of the process");
    __atomic_store_n(&__gordian_atexit_functions[mine], function, 0);
    do
        __atomic_store_n(&__gordian_atexit_below[mine], last, 0);
    while (!__atomic_compare_exchange_n(&__gordian_atexit_last, &last, mine + 1, 0, 0, 0));
    return 0;
}

void __gordian_run_atexit(void)
{
    int last = __atomic_load_n(&__gordian_atexit_last, 0);
    while (last > 0) {
        int below = __atomic_load_n(&__gordian_atexit_below[last - 1], 0);
        if (__atomic_compare_exchange_n(&__gordian_atexit_last, &last, below, 0, 0, 0)) {
            void (*function)(void) = __atomic_load_n(&__gordian_atexit_functions[last - 1], 0);
            function();
            last = __atomic_load_n(&__gordian_atexit_last, 0);
        }
    }
}

/* Threads that have not ended. After main has ended its own, the last one ends the process. Counting orders nothing but
   the end of the process after the end of every thread. */
static int __gordian_threads = 1;
void __gordian_end_process(void);

void __gordian_begin_thread(void) { __atomic_fetch_add(&__gordian_threads, 1, 0); }

void __gordian_end_thread(void)
{
    if (__atomic_fetch_sub(&__gordian_threads, 1, 4) == 1) {
        __gordian_end_process();
        _exit(0);
    }
}

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long size);
extern void free(void *);
extern unsigned long strlen(const char *s);
extern void *memcpy(void *target, const void *source, unsigned long n);

/* Stands for all variables of the environment. */
char __gordian_environment;

/* Null, or a string that is given when the program is run. Every one has a place of its own. */
static long __gordian_outside_getenv(const char *name) { return __VERIFIER_nondet_long(); }
static void __gordian_take_bytes(char *target, long length);
static char __gordian_environment_text[65536];
static unsigned __gordian_environment_used;

char *__gordian_given_environment_string(const char *name)
{
    long length = __gordian_outside_getenv(name);
    if (length < 0 || length > 4095)
        return 0;
    unsigned start = __atomic_fetch_add(&__gordian_environment_used, (unsigned)length + 1, 0);
    if (start + (unsigned)length + 1 > 65536)
        __gordian_unsupported("so many strings from the environment");
    __gordian_take_bytes(__gordian_environment_text + start, length);
    __gordian_environment_text[start + length] = 0;
    return __gordian_environment_text + start;
}

extern void *__gordian_library_memory(unsigned long size);
extern int *__errno_location(void);

/* What the variable pointed to is kept: somebody may still use it. */
int __gordian_setenv(char **variable, const char *value, int overwrite)
{
    unsigned long size = strlen(value) + 1;
    if (*variable != 0 && overwrite == 0)
        return 0;
    if (__VERIFIER_nondet_int() != 0) {
        *__errno_location() = 12;
        return -1;
    }
    char *copy = __gordian_library_memory(size);
    memcpy(copy, value, size);
    *variable = copy;
    return 0;
}

int __gordian_unsetenv(char **variable)
{
    *variable = 0;
    return 0;
}

/* The name that messages begin with is not copied. */
static const char *__gordian_log_name;

void openlog(const char *name, int options, int facility)
{
    if (name != 0)
        __gordian_read_string(name, (unsigned long)-1);
    __atomic_store_n(&__gordian_log_name, name, 0);
}

void closelog(void) { __atomic_store_n(&__gordian_log_name, (const char *)0, 0); }

void __gordian_read_log_name(void)
{
    const char *name = __atomic_load_n(&__gordian_log_name, 0);
    if (name != 0)
        __gordian_read_string(name, (unsigned long)-1);
}

/* The result of naming a thread: a name has up to 15 characters. */
int __gordian_name_thread(const char *name)
{
    int length = 0, choice = __gordian_choice();
    while (length < 16 && name[length] != 0)
        length++;
    if (length > 15)
        return 34;
    return choice > 0 && choice <= 133 && choice != 34 ? choice : 0;
}

/* The locale "C" is always there; of others nothing is known, so that what depends on them is unsupported. */
char __gordian_locale;
static int __gordian_other_locale;

void __gordian_need_c_locale(void)
{
    if (__atomic_load_n(&__gordian_other_locale, 0) != 0)
        __gordian_unsupported("what depends on a locale other than \"C\"");
}

/* A name may be put together of those of all categories. */
struct __gordian_locale_name {
    char bytes[4096];
};

char *setlocale(int category, const char *locale)
{
    static char name[2] = "C";
    if (locale != 0)
        __gordian_read_string(locale, (unsigned long)-1);
    if (category < 0 || category > 12)
        return 0;
    if (locale == 0) {
        char hidden = __gordian_locale;
        __gordian_need_c_locale();
        return name;
    }
    __gordian_locale = 0;
    int is_c = locale[0] == 'C' && locale[1] == 0;
    int is_posix = locale[0] == 'P' && locale[1] == 'O' && locale[2] == 'S' && locale[3] == 'I' && locale[4] == 'X' && locale[5] == 0;
    if (is_c || is_posix) {
        if (category == 6)
            __atomic_store_n(&__gordian_other_locale, 0, 0);
        return name;
    }
    int choice = __gordian_choice();
    if (choice >= 0)
        return choice == 0 && locale[0] == 0 ? name : 0;
    static struct __gordian_locale_name other;
    struct __gordian_locale_name any;
    other = any;
    other.bytes[sizeof other - 1] = 0;
    __atomic_store_n(&__gordian_other_locale, 1, 0);
    return other.bytes;
}

/* Whether and how a thread can be cancelled: nobody cancels it. */
static __thread int __gordian_cancel_state, __gordian_cancel_type;

int pthread_setcancelstate(int state, int *old)
{
    if (state != 0 && state != 1)
        return 22;
    if (old != 0)
        *old = __gordian_cancel_state;
    __gordian_cancel_state = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type != 0 && type != 1)
        return 22;
    if (old != 0)
        *old = __gordian_cancel_type;
    __gordian_cancel_type = type;
    return 0;
}

/* The number of a thread does not change and is its own as long as it lives; that of the first is that of the process.
   Threads that choose at the same time publish their choice before they look at those of others, so that of two that choose
   the same number at least one sees the other. */
static __thread int __gordian_thread_number, __gordian_number_place;
static int __gordian_process_number, __gordian_thread_numbers[8], __gordian_numbered_threads;
static int __gordian_outside_gettid(void) { return __VERIFIER_nondet_int(); }

void __gordian_begin_main(long long process)
{
    __gordian_process_number = (int)process;
    __gordian_thread_number = (int)process;
}

int gettid(void)
{
    if (__gordian_thread_number != 0)
        return __gordian_thread_number;
    int number = __gordian_outside_gettid(), mine = __atomic_fetch_add(&__gordian_numbered_threads, 1, 0);
    if (mine >= 8)
        __gordian_unsupported("the numbers of more than 8 threads");
    int taken = number < 1 || number > 4000000 || number == __gordian_process_number;
    if (taken == 0) {
        __atomic_store_n(&__gordian_thread_numbers[mine], number, 0);
        int count = __atomic_load_n(&__gordian_numbered_threads, 0);
        for (int i = 0; i < count && i < 8; i++)
            if (i != mine && __atomic_load_n(&__gordian_thread_numbers[i], 0) == number)
                taken = 1;
    }
    if (taken != 0) {
        number = 4000001 + mine;
        if (number == __gordian_process_number)
            number = 4100001 + mine;
        __atomic_store_n(&__gordian_thread_numbers[mine], number, 0);
    }
    __gordian_thread_number = number;
    __gordian_number_place = mine;
    return number;
}

/* Another thread may get the number of one that has ended. */
void __gordian_release_thread_number(void)
{
    if (__gordian_thread_number != 0 && __gordian_thread_number != __gordian_process_number)
        __atomic_store_n(&__gordian_thread_numbers[__gordian_number_place], 0, 0);
}

/* From now on the function may be called at any time. */
void __gordian_set_handler(const void *handler)
{
    if (handler != 0 && handler != (const void *)1 && __gordian_choice() != 0)
        __gordian_unsupported("a signal that is handled");
}

void __gordian_set_action(const void *const *action)
{
    if (action != 0)
        __gordian_set_handler(*action);
}

/* Thread-specific data. A thread looks only at keys that it has set itself. Creating and deleting keys orders nothing. Every
   key has a slot of its own; its number may be that of one that was deleted. */
static __thread void *__gordian_key_values[16];
static __thread unsigned __gordian_keys_used;
static void (*__gordian_key_destructors[16])(void *);
static unsigned __gordian_key_count;
static unsigned char __gordian_key_slots[16], __gordian_keys_deleted;
/* By number: 0 before its first use, 1 while there is such a key, 2 once it is deleted. */
static unsigned char __gordian_key_states[16];

/* As long as no key is deleted, its number is its slot. */
static unsigned __gordian_key_slot(unsigned number)
{
    return __atomic_load_n(&__gordian_keys_deleted, 0) == 0 ? number : __atomic_load_n(&__gordian_key_slots[number], 0);
}

static int __gordian_reuse_key(unsigned number)
{
    unsigned char deleted = 2;
    return __atomic_compare_exchange_n(&__gordian_key_states[number], &deleted, 1, 0, 0, 0);
}

int pthread_key_create(unsigned int *key, void (*destructor)(void *))
{
    unsigned mine = __atomic_fetch_add(&__gordian_key_count, 1, 0), number = mine;
    if (mine >= 16)
        __gordian_unsupported("more than 16 keys of thread-specific data");
    if (__atomic_load_n(&__gordian_keys_deleted, 0) != 0 && __gordian_choice() != 0)
        for (number = 0; number < mine && __gordian_reuse_key(number) == 0; number++)
            ;
    __atomic_store_n(&__gordian_key_slots[number], mine, 0);
    __atomic_store_n(&__gordian_key_destructors[mine], destructor, 0);
    __atomic_store_n(&__gordian_key_states[number], 1, 0);
    *key = number;
    return 0;
}

int pthread_key_delete(unsigned int key)
{
    unsigned char exists = 1;
    if (key >= 16)
        return 22;
    unsigned slot = __atomic_load_n(&__gordian_key_slots[key], 0);
    if (__atomic_compare_exchange_n(&__gordian_key_states[key], &exists, 2, 0, 0, 0) == 0)
        return 22;
    __atomic_store_n(&__gordian_key_destructors[slot], 0, 0);
    __atomic_store_n(&__gordian_keys_deleted, 1, 0);
    return 0;
}

int pthread_setspecific(unsigned int key, const void *value)
{
    if (key >= 16 || __atomic_load_n(&__gordian_key_states[key], 0) != 1)
        return 22;
    unsigned slot = __gordian_key_slot(key);
    __gordian_key_values[slot] = (void *)value;
    if (slot >= __gordian_keys_used)
        __gordian_keys_used = slot + 1;
    return 0;
}

/* PTHREAD_DESTRUCTOR_ITERATIONS is 4. Like glibc, sets values of keys without a destructor to null as well. */
void __gordian_run_key_destructors(void)
{
    int called = 1;
    for (int round = 0; called && round < 4; round++) {
        called = 0;
        for (unsigned key = 0; key < __gordian_keys_used; key++) {
            void *value = __gordian_key_values[key];
            if (value == 0)
                continue;
            void (*destructor)(void *) = __atomic_load_n(&__gordian_key_destructors[key], 0);
            __gordian_key_values[key] = 0;
            if (destructor == 0)
                continue;
            called = 1;
            destructor(value);
        }
    }
}

/* What a thread has to do if it ends early, the last first. */
static __thread void (*__gordian_clean_up_routines[16])(void *);
static __thread void *__gordian_clean_up_arguments[16];
static __thread unsigned __gordian_clean_ups;

void __gordian_push_clean_up(void (*routine)(void *), void *argument)
{
    if (__gordian_clean_ups >= 16)
        __gordian_unsupported("more than 16 clean-up handlers");
    __gordian_clean_up_routines[__gordian_clean_ups] = routine;
    __gordian_clean_up_arguments[__gordian_clean_ups] = argument;
    __gordian_clean_ups = __gordian_clean_ups + 1;
}

void __gordian_pop_clean_up(void) { __gordian_clean_ups = __gordian_clean_ups - 1; }

void __gordian_run_clean_ups(void)
{
    while (__gordian_clean_ups > 0) {
        __gordian_clean_ups = __gordian_clean_ups - 1;
        __gordian_clean_up_routines[__gordian_clean_ups](__gordian_clean_up_arguments[__gordian_clean_ups]);
    }
}

/* A thread that ends in such a routine gives the control back as if nothing had happened. */
static __thread unsigned __gordian_once_routines;

void __gordian_enter_once(void) { __gordian_once_routines = __gordian_once_routines + 1; }

void __gordian_leave_once(void) { __gordian_once_routines = __gordian_once_routines - 1; }

void __gordian_check_once(void)
{
    if (__gordian_once_routines > 0)
        __gordian_unsupported("the end of a thread in a routine of pthread_once");
}

extern void __gordian_library_free(void *memory);

struct __gordian_start {
    void *(*function)(void *);
    void *argument;
};

/* The function of a thread that is started through a pointer. */
void *__gordian_start_thread(void *pointer)
{
    struct __gordian_start start = *(struct __gordian_start *)pointer;
    __gordian_library_free(pointer);
    return start.function(start.argument);
}

/* The same for threads of C11. */
void *__gordian_start_c11_thread(void *pointer)
{
    struct __gordian_start start = *(struct __gordian_start *)pointer;
    __gordian_library_free(pointer);
    return (void *)(long)((int (*)(void *))start.function)(start.argument);
}

/* As in glibc, a key that is deleted has no value. */
void *pthread_getspecific(unsigned int key)
{
    if (key >= 16)
        return 0;
    if (__atomic_load_n(&__gordian_keys_deleted, 0) != 0 && __atomic_load_n(&__gordian_key_states[key], 0) != 1)
        return 0;
    return __gordian_key_values[__gordian_key_slot(key)];
}

int tss_create(unsigned int *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
int tss_set(unsigned int key, void *value) { return pthread_setspecific(key, value) == 0 ? 0 : 2; }
void *tss_get(unsigned int key) { return pthread_getspecific(key); }
void tss_delete(unsigned int key) { pthread_key_delete(key); }
