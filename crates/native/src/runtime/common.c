/* The runtime of natively executed programs, first part: types, memory and arithmetic.

   The file is one translation unit: common.c, then the policy (record.c or replay.c), sync_objects.c, the actions that
   are printed from the table of crate `sync`, threads.c, output.c, outside.c, answers.c, told.c and the program itself.
   Names of the runtime begin with gr_; the program's functions, globals, registers, memory objects and blocks are f0, g0, r0, m0 and
   b0 as in its text form. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/prctl.h>
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
/* Addresses are numbers; nothing in the program relies on the type of what they point to. */
typedef uintptr_t ptr;

#define GR_COLD __attribute__((cold, noinline))
#define GR_UNUSED __attribute__((unused))
#define gr_unlikely(condition) __builtin_expect(!!(condition), 0)
#define gr_compiler_barrier() __asm__ volatile("" ::: "memory")

/* Memory is accessed as bytes, at any alignment. */
#define GR_ACCESS(name, type)                                                                                          \
    static inline GR_UNUSED type gr_load_##name(ptr address)                                                           \
    {                                                                                                                  \
        type value;                                                                                                    \
        memcpy(&value, (const void *)address, sizeof value);                                                           \
        return value;                                                                                                  \
    }                                                                                                                  \
    static inline GR_UNUSED void gr_store_##name(ptr address, type value)                                              \
    {                                                                                                                  \
        memcpy((void *)address, &value, sizeof value);                                                                 \
    }
GR_ACCESS(u8, u8)
GR_ACCESS(u16, u16)
GR_ACCESS(u32, u32)
GR_ACCESS(u64, u64)
GR_ACCESS(float, float)
GR_ACCESS(double, double)
GR_ACCESS(ptr, ptr)

static inline GR_UNUSED float gr_float(u32 bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline GR_UNUSED double gr_double(u64 bits)
{
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

/* Every operation has the result that the interpreter gives it; a division by zero traps. */
#define GR_ARITHMETIC(bits)                                                                                            \
    static inline GR_UNUSED u##bits gr_sdiv##bits(u##bits a, u##bits b)                                                \
    {                                                                                                                  \
        return (i##bits)b == -1 ? (u##bits)(0 - (u64)a) : (u##bits)((i##bits)a / (i##bits)b);                          \
    }                                                                                                                  \
    static inline GR_UNUSED u##bits gr_srem##bits(u##bits a, u##bits b)                                                \
    {                                                                                                                  \
        return (i##bits)b == -1 ? 0 : (u##bits)((i##bits)a % (i##bits)b);                                              \
    }                                                                                                                  \
    static inline GR_UNUSED u##bits gr_scale##bits(u##bits index, u##bits size)                                        \
    {                                                                                                                  \
        i##bits product;                                                                                               \
        if (__builtin_mul_overflow((i##bits)index, (i##bits)size, &product))                                           \
            return (u##bits)((u64)9 << (bits - 4));                                                                    \
        return (u##bits)product;                                                                                       \
    }                                                                                                                  \
    static inline GR_UNUSED u##bits gr_shl##bits(u##bits a, u##bits n) { return n >= bits ? 0 : (u##bits)((u64)a << n); } \
    static inline GR_UNUSED u##bits gr_lshr##bits(u##bits a, u##bits n) { return n >= bits ? 0 : (u##bits)(a >> n); }  \
    static inline GR_UNUSED u##bits gr_ashr##bits(u##bits a, u##bits n)                                                \
    {                                                                                                                  \
        return n >= bits ? 0 : (u##bits)((i##bits)a >> n);                                                             \
    }
GR_ARITHMETIC(8)
GR_ARITHMETIC(16)
GR_ARITHMETIC(32)
GR_ARITHMETIC(64)

/* An offset that an address cannot be moved by leads out of every object. */
static inline GR_UNUSED ptr gr_moved(ptr pointer, u64 offset)
{
    if (gr_unlikely((i64)(intptr_t)offset != (i64)offset))
        return pointer + (ptr)((u64)9 << (8 * sizeof(ptr) - 4));
    return pointer + (ptr)offset;
}

/* Under the address sanitizer, memory objects of an activation can be touched only while they live. */
#ifdef __SANITIZE_ADDRESS__
void __asan_poison_memory_region(void const volatile *address, size_t size);
void __asan_unpoison_memory_region(void const volatile *address, size_t size);
#define GR_BEGIN_LIFE(address, size) __asan_unpoison_memory_region((void *)(address), size)
#define GR_END_LIFE(address, size) __asan_poison_memory_region((void *)(address), size)
#else
#define GR_BEGIN_LIFE(address, size) ((void)0)
#define GR_END_LIFE(address, size) ((void)0)
#endif

enum { GR_MAX_THREADS = 1024, GR_SET_WORDS = GR_MAX_THREADS / 64 };

/* How a run ended; the numbers are known to log.rs. */
enum gr_end {
    GR_RUNNING = 0,
    GR_EXITED = 1,
    GR_ABORTED = 2,
    GR_STUCK = 3,
    GR_UNSUPPORTED = 4,
    GR_FULL = 5,
    GR_TOO_MANY_THREADS = 6,
    GR_SECTION_BLOCKED = 7,
};

/* No thread has this number. */
#define GR_NOBODY UINT32_MAX

/* What a synchronisation says if its guard does not hold. */
#define GR_BLOCKED INT64_MIN

/* The files that the host has prepared. */
static GR_COLD void gr_fail(const char *what)
{
    fprintf(stderr, "gordian: the native run cannot go on: %s\n", what);
    fflush(stderr);
    _exit(125);
}

static GR_UNUSED void *gr_map(const char *variable, size_t *size, int writable)
{
    const char *path = getenv(variable);
    if (!path)
        gr_fail("it was not started by gordian");
    int file = open(path, writable ? O_RDWR : O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        gr_fail("a file of its host is missing");
    *size = (size_t)status.st_size;
    if (*size == 0)
        return NULL;
    void *memory = mmap(NULL, *size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        gr_fail("a file of its host cannot be mapped");
    close(file);
    return memory;
}

static GR_UNUSED u64 gr_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

/* When the thread's next timed operation gives up, if it has said so. */
static __thread struct timespec gr_deadline;
static __thread int gr_has_deadline;

static inline GR_UNUSED void gr_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}
