/* Threads and synchronisation on top of the policy. Threads are real; who waits and who may go on is decided here, by the
   printed actions, so that it is what the interpreter decides. */

struct gr_thread {
    int ended, detached, joined;
    ptr result;
    ptr stack_top;
};

static struct gr_thread gr_thread[GR_MAX_THREADS];
static u32 gr_thread_count = 1;

struct gr_start {
    ptr (*function)(ptr);
    ptr argument;
    u32 id;
};

static void gr_init_locals(void);

static void gr_end_thread(ptr result)
{
    gr_begin();
    gr_thread[gr_id].result = result;
    gr_thread[gr_id].ended = 1;
    gr_ended_thread();
    gr_pause();
}

static GR_UNUSED void *gr_run_thread(void *memory)
{
    struct gr_start start = *(struct gr_start *)memory;
    free(memory);
    gr_init_thread(start.id);
    gr_thread[start.id].stack_top = (ptr)__builtin_frame_address(0);
    gr_init_locals();
    gr_end_thread(start.function(start.argument));
    return NULL;
}

/* A visible step; `store` is where the handle goes, or null. */
static GR_UNUSED u64 gr_spawn(u32 site, ptr store, ptr (*function)(ptr), ptr argument, int detached)
{
    GR_ENTER(site, store, store ? sizeof(ptr) : 0);
    u32 id = gr_thread_count;
    if (id == GR_MAX_THREADS)
        gr_end_process(GR_TOO_MANY_THREADS, 0);
    gr_thread_count++;
    gr_thread[id].detached = detached;
    if (store)
        gr_store_ptr(store, (ptr)id + 1);
    struct gr_start *start = malloc(sizeof *start);
    pthread_t thread;
    if (!start)
        gr_fail("there is no memory");
    *start = (struct gr_start){function, argument, id};
    gr_spawned(id);
    if (pthread_create(&thread, NULL, gr_run_thread, start) != 0)
        gr_fail("a thread cannot be created");
    pthread_detach(thread);
    GR_LEAVE(site);
    return (u64)id + 1;
}

static int gr_join_waits(u64 handle)
{
    u64 id = handle - 1;
    return handle != 0 && id < gr_thread_count && !gr_thread[id].ended && !gr_thread[id].detached &&
           !gr_thread[id].joined;
}

/* Threads that are neither joined nor detached. */
static GR_UNUSED u64 gr_left_threads(void)
{
    u64 count = 0;
    for (u32 id = 1; id < gr_thread_count; id++)
        count += !gr_thread[id].joined && !gr_thread[id].detached;
    return count;
}

enum { GR_PENDING_SYNC = 1, GR_PENDING_JOIN = 2 };

static GR_UNUSED u32 gr_join(u32 site, u64 handle, ptr *result)
{
    u64 id = handle - 1;
    GR_NEXT(GR_PENDING_JOIN, 0, &handle, 1);
    for (;;) {
        GR_ENTER(site, 0, 0);
        if (!gr_join_waits(handle))
            break;
        gr_block(GR_PENDING_JOIN, 0, &handle);
    }
    u32 code = 0;
    if (handle == 0 || id >= gr_thread_count) {
        code = ESRCH;
    } else if (gr_thread[id].detached || gr_thread[id].joined) {
        code = EINVAL;
    } else {
        gr_thread[id].joined = 1;
        *result = gr_thread[id].result;
    }
    gr_news();
    GR_NEXT(0, 0, &handle, 0);
    GR_LEAVE(site);
    return code;
}

static GR_UNUSED u32 gr_detach(u32 site, u64 handle)
{
    GR_ENTER(site, 0, 0);
    u32 code = ESRCH;
    u64 id = handle - 1;
    if (handle != 0 && id < gr_thread_count) {
        code = gr_thread[id].detached || gr_thread[id].joined ? EINVAL : 0;
        gr_thread[id].detached = 1;
    }
    gr_news();
    GR_LEAVE(site);
    return code;
}

/* Printed from the table: the action, or GR_BLOCKED; whether a guard holds. */
static i64 gr_act(u32 op, u32 site, const u64 *operands);
static int gr_guard(u32 op, u32 thread, const u64 *operands);

/* `prompt` is the operation without a time limit, or `op` itself. */
static GR_UNUSED u32 gr_sync(u32 site, u32 op, u32 prompt, const u64 *operands, unsigned count)
{
    (void)count;
    GR_NEXT(GR_PENDING_SYNC, op, operands, count);
    for (unsigned naps = 0;;) {
        GR_ENTER(site, operands[0], 1);
        if (prompt != op && !gr_section && !gr_guard(prompt, gr_id, operands) && gr_has_time(naps)) {
            gr_nap(naps++);
            continue;
        }
        i64 result = gr_act(op, site, operands);
        if (result != GR_BLOCKED) {
            if (prompt != op)
                gr_has_deadline = 0;
            gr_news();
            GR_NEXT(0, 0, operands, 0);
            GR_LEAVE(site);
            return (u32)result;
        }
        gr_block(GR_PENDING_SYNC, op, operands);
    }
}

/* Memory. What is on the stack (`alloca`) is not freed here. */
static GR_UNUSED ptr gr_allocate(u64 size, u64 align)
{
    void *memory = NULL;
    if (size > PTRDIFF_MAX)
        gr_fail("there is no memory");
    if (align <= 16)
        memory = calloc(size ? size : 1, 1);
    else if (posix_memalign(&memory, align, size ? size : 1) == 0)
        memset(memory, 0, size);
    else
        memory = NULL;
    if (!memory)
        gr_fail("there is no memory");
    gr_count_heap(1);
    gr_new_allocation((ptr)memory, size);
    return (ptr)memory;
}

static int gr_is_on_stack(ptr address)
{
    return address >= (ptr)__builtin_frame_address(0) && address < gr_thread[gr_id].stack_top;
}

static GR_UNUSED u64 gr_heap_size(ptr address)
{
    return address == 0 || gr_is_on_stack(address) ? 0 : malloc_usable_size((void *)address);
}

static GR_UNUSED void gr_free(ptr address)
{
    if (gr_is_on_stack(address))
        return;
    if (address) {
        gr_forget(address, malloc_usable_size((void *)address));
        gr_count_heap(-1);
    }
    free((void *)address);
}

static GR_UNUSED ptr gr_reallocate(ptr old, u64 size)
{
    if (old && size == 0) {
        gr_free(old);
        return 0;
    }
    ptr memory = gr_allocate(size, 16);
    if (old) {
        u64 kept = malloc_usable_size((void *)old);
        memcpy((void *)memory, (void *)old, kept < size ? kept : size);
        gr_free(old);
    }
    return memory;
}
