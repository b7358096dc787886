
int main(void)
{
    gr_thread[0].stack_top = (ptr)__builtin_frame_address(0);
    gr_init_policy();
    gr_init_globals();
    gr_init_locals();
    gr_entry();
    gr_end_thread(0);
    pthread_exit(NULL);
}
