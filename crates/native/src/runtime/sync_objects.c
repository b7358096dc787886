/* Synchronisation objects: their states are kept beside the program's memory, by address, as in the interpreter. The
   program's own bytes are only looked at when an object is used for the first time. */

typedef struct {
    u64 word[GR_SET_WORDS];
} gr_set;

static GR_UNUSED gr_set gr_set_with(gr_set set, u64 thread)
{
    set.word[thread / 64] |= (u64)1 << thread % 64;
    return set;
}

static GR_UNUSED gr_set gr_set_without(gr_set set, u64 thread)
{
    set.word[thread / 64] &= ~((u64)1 << thread % 64);
    return set;
}

static GR_UNUSED gr_set gr_set_union(gr_set a, gr_set b)
{
    for (int i = 0; i < GR_SET_WORDS; i++)
        a.word[i] |= b.word[i];
    return a;
}

static GR_UNUSED int gr_set_has(gr_set set, u64 thread) { return set.word[thread / 64] >> thread % 64 & 1; }
static GR_UNUSED int gr_set_equal(gr_set a, gr_set b) { return memcmp(&a, &b, sizeof a) == 0; }

static GR_UNUSED u64 gr_set_size(gr_set set)
{
    u64 size = 0;
    for (int i = 0; i < GR_SET_WORDS; i++)
        size += (u64)__builtin_popcountll(set.word[i]);
    return size;
}

static GR_UNUSED u64 gr_set_member(gr_set set, u64 index)
{
    for (u64 thread = 0; thread < GR_MAX_THREADS; thread++)
        if (gr_set_has(set, thread) && index-- == 0)
            return thread;
    return 0;
}

enum gr_kind { GR_MUTEX, GR_RWLOCK, GR_SPIN, GR_COND, GR_BARRIER, GR_SEMAPHORE, GR_ONCE };

struct gr_sync {
    ptr address;
    enum gr_kind kind;
    u64 phase, lock_kind, owner, depth, count, arrived_count, value, done, partner;
    gr_set readers0, readers1, readers2, waiters, arrived, serial;
    struct gr_sync *next;
};

enum { GR_BUCKETS = 4096 };
static struct gr_sync *gr_bucket[GR_BUCKETS];
/* The addresses of all objects outside of static memory are between these. */
static ptr gr_sync_low = UINTPTR_MAX, gr_sync_high;

/* Where the linker has put static memory. */
extern char __executable_start, end;

static unsigned gr_hash_address(ptr address) { return (unsigned)((u64)address / 4 * 0x9e3779b97f4a7c15u >> 52); }

/* What the bytes of an object say before its first use: see `static_initialiser.rs` of crate `sync`. */
static void gr_read_initialiser(struct gr_sync *object)
{
    if (object->kind == GR_MUTEX) {
        u32 kind = gr_load_u32(object->address + (sizeof(ptr) == 8 ? 16 : 12));
        object->lock_kind = kind == 1 || kind == 2 ? kind : 0;
    }
    if (object->kind == GR_SEMAPHORE)
        object->value = gr_load_u32(object->address);
}

/* `user` is the thread that uses the object, or nobody if it initialises it. */
static struct gr_sync *gr_object(ptr address, enum gr_kind kind, u32 user)
{
    struct gr_sync **place = &gr_bucket[gr_hash_address(address)];
    for (struct gr_sync *object = *place; object; object = object->next)
        if (object->address == address) {
            if (object->kind == kind)
                return object;
            struct gr_sync *next = object->next;
            memset(object, 0, sizeof *object);
            object->next = next;
            object->address = address;
            object->kind = kind;
            gr_read_initialiser(object);
            return object;
        }
    struct gr_sync *object = calloc(1, sizeof *object);
    if (!object)
        gr_fail("there is no memory");
    object->address = address;
    object->kind = kind;
    object->next = *place;
    *place = object;
    if (address < (ptr)&__executable_start || address >= (ptr)&end) {
        if (user != GR_NOBODY)
            gr_first_use(user);
        gr_sync_low = address < gr_sync_low ? address : gr_sync_low;
        gr_sync_high = address > gr_sync_high ? address : gr_sync_high;
    }
    gr_read_initialiser(object);
    return object;
}

static void gr_forget_in(unsigned bucket, ptr start, ptr end)
{
    struct gr_sync **place = &gr_bucket[bucket];
    while (*place) {
        struct gr_sync *object = *place;
        if (object->address >= start && object->address < end) {
            *place = object->next;
            free(object);
        } else {
            place = &object->next;
        }
    }
}

/* An object of this size ends, and what was in it. */
static GR_UNUSED void gr_forget(ptr address, u64 size)
{
    if (address > gr_sync_high || address + size <= gr_sync_low)
        return;
    int in_step = gr_in_step();
    if (!in_step)
        gr_begin();
    if (size / 4 < GR_BUCKETS)
        for (ptr at = address & ~(ptr)3; at < address + size; at += 4)
            gr_forget_in(gr_hash_address(at), address, address + size);
    else
        for (unsigned bucket = 0; bucket < GR_BUCKETS; bucket++)
            gr_forget_in(bucket, address, address + size);
    if (!in_step)
        gr_pause();
}
