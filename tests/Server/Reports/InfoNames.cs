namespace Strata.Tests.Server.Reports;

/// <summary>The names of INFO's fields, as data.</summary>
internal static class InfoNames
{
    /// <summary>By section, in their order: those of a Redis 7.4 that is a master alone. The size of a file that is
    /// appended to is there only where there is one.</summary>
    public static readonly IReadOnlyDictionary<string, string[]> OfRedis74 = new Dictionary<string, string[]>
    {
        ["Server"] = Names("""
            redis_version redis_git_sha1 redis_git_dirty redis_build_id redis_mode os arch_bits monotonic_clock
            multiplexing_api atomicvar_api gcc_version process_id process_supervised run_id tcp_port
            server_time_usec uptime_in_seconds uptime_in_days hz configured_hz lru_clock executable config_file
            io_threads_active
            """),
        ["Clients"] = Names("""
            connected_clients cluster_connections maxclients client_recent_max_input_buffer
            client_recent_max_output_buffer blocked_clients tracking_clients pubsub_clients watching_clients
            clients_in_timeout_table total_watched_keys total_blocking_keys total_blocking_keys_on_nokey
            """),
        ["Memory"] = Names("""
            used_memory used_memory_human used_memory_rss used_memory_rss_human used_memory_peak
            used_memory_peak_human used_memory_peak_perc used_memory_overhead used_memory_startup
            used_memory_dataset used_memory_dataset_perc allocator_allocated allocator_active allocator_resident
            allocator_muzzy total_system_memory total_system_memory_human used_memory_lua used_memory_vm_eval
            used_memory_lua_human used_memory_scripts_eval number_of_cached_scripts number_of_functions
            number_of_libraries used_memory_vm_functions used_memory_vm_total used_memory_vm_total_human
            used_memory_functions used_memory_scripts used_memory_scripts_human maxmemory maxmemory_human
            maxmemory_policy allocator_frag_ratio allocator_frag_bytes allocator_rss_ratio allocator_rss_bytes
            rss_overhead_ratio rss_overhead_bytes mem_fragmentation_ratio mem_fragmentation_bytes
            mem_not_counted_for_evict mem_replication_backlog mem_total_replication_buffers mem_clients_slaves
            mem_clients_normal mem_cluster_links mem_aof_buffer mem_allocator mem_overhead_db_hashtable_rehashing
            active_defrag_running lazyfree_pending_objects lazyfreed_objects
            """),
        ["Persistence"] = Names("""
            loading async_loading current_cow_peak current_cow_size current_cow_size_age current_fork_perc
            current_save_keys_processed current_save_keys_total rdb_changes_since_last_save rdb_bgsave_in_progress
            rdb_last_save_time rdb_last_bgsave_status rdb_last_bgsave_time_sec rdb_current_bgsave_time_sec rdb_saves
            rdb_last_cow_size rdb_last_load_keys_expired rdb_last_load_keys_loaded aof_enabled
            aof_rewrite_in_progress aof_rewrite_scheduled aof_last_rewrite_time_sec aof_current_rewrite_time_sec
            aof_last_bgrewrite_status aof_rewrites aof_rewrites_consecutive_failures aof_last_write_status
            aof_last_cow_size module_fork_in_progress module_fork_last_cow_size aof_current_size aof_base_size
            aof_pending_rewrite aof_buffer_length aof_pending_bio_fsync aof_delayed_fsync
            """),
        ["Stats"] = Names("""
            total_connections_received total_commands_processed instantaneous_ops_per_sec total_net_input_bytes
            total_net_output_bytes total_net_repl_input_bytes total_net_repl_output_bytes instantaneous_input_kbps
            instantaneous_output_kbps instantaneous_input_repl_kbps instantaneous_output_repl_kbps
            rejected_connections sync_full sync_partial_ok sync_partial_err expired_subkeys expired_keys
            expired_stale_perc expired_time_cap_reached_count expire_cycle_cpu_milliseconds evicted_keys
            evicted_clients evicted_scripts total_eviction_exceeded_time current_eviction_exceeded_time
            keyspace_hits keyspace_misses pubsub_channels pubsub_patterns pubsubshard_channels latest_fork_usec
            total_forks migrate_cached_sockets slave_expires_tracked_keys active_defrag_hits active_defrag_misses
            active_defrag_key_hits active_defrag_key_misses total_active_defrag_time current_active_defrag_time
            tracking_total_keys tracking_total_items tracking_total_prefixes unexpected_error_replies
            total_error_replies dump_payload_sanitizations total_reads_processed total_writes_processed
            io_threaded_reads_processed io_threaded_writes_processed client_query_buffer_limit_disconnections
            client_output_buffer_limit_disconnections reply_buffer_shrinks reply_buffer_expands eventloop_cycles
            eventloop_duration_sum eventloop_duration_cmd_sum instantaneous_eventloop_cycles_per_sec
            instantaneous_eventloop_duration_usec acl_access_denied_auth acl_access_denied_cmd acl_access_denied_key
            acl_access_denied_channel
            """),
        ["Replication"] = Names("""
            role connected_slaves master_failover_state master_replid master_replid2 master_repl_offset
            second_repl_offset repl_backlog_active repl_backlog_size repl_backlog_first_byte_offset
            repl_backlog_histlen
            """),
        ["CPU"] = Names("""
            used_cpu_sys used_cpu_user used_cpu_sys_children used_cpu_user_children used_cpu_sys_main_thread
            used_cpu_user_main_thread
            """),
        ["Cluster"] = Names("""
            cluster_enabled
            """),
        ["Debug"] = Names("""
            eventloop_duration_aof_sum eventloop_duration_cron_sum eventloop_duration_max
            eventloop_cmd_per_cycle_max allocator_allocated_lua allocator_active_lua allocator_resident_lua
            allocator_frag_bytes_lua
            """),
    };

    /// <summary>Those that the common exporter for Prometheus (oliver006/redis_exporter) reads of such a server.
    /// </summary>
    public static readonly string[] OfExporter = Names("""
        acl_access_denied_auth acl_access_denied_channel acl_access_denied_cmd acl_access_denied_key
        active_defrag_hits active_defrag_key_hits active_defrag_key_misses active_defrag_misses
        active_defrag_running allocator_active allocator_allocated allocator_frag_bytes allocator_frag_ratio
        allocator_muzzy allocator_resident allocator_rss_bytes allocator_rss_ratio aof_base_size
        aof_buffer_length aof_current_rewrite_time_sec aof_current_size aof_delayed_fsync aof_enabled
        aof_last_bgrewrite_status aof_last_cow_size aof_last_rewrite_time_sec aof_last_write_status
        aof_pending_bio_fsync aof_pending_rewrite aof_rewrite_buffer_length aof_rewrite_in_progress
        aof_rewrite_scheduled async_loading blocked_clients client_output_buffer_limit_disconnections
        client_query_buffer_limit_disconnections client_recent_max_input_buffer client_recent_max_output_buffer
        clients_in_timeout_table connected_clients connected_slaves current_eviction_exceeded_time
        dump_payload_sanitizations eventloop_cycles eventloop_duration_cmd_sum eventloop_duration_sum
        evicted_clients evicted_keys evicted_scripts expire_cycle_cpu_milliseconds expired_keys
        expired_stale_perc expired_subkeys expired_time_cap_reached_count instantaneous_eventloop_cycles_per_sec
        instantaneous_eventloop_duration_usec io_threaded_reads_processed io_threaded_writes_processed
        io_threads_active keyspace_hits keyspace_misses latest_fork_usec lazyfree_pending_objects
        lazyfreed_objects loading master_repl_offset maxclients maxmemory mem_aof_buffer mem_clients_normal
        mem_clients_slaves mem_cluster_links mem_fragmentation_bytes mem_fragmentation_ratio
        mem_not_counted_for_evict mem_overhead_db_hashtable_rehashing mem_replication_backlog
        mem_total_replication_buffers migrate_cached_sockets module_fork_in_progress module_fork_last_cow_size
        number_of_cached_scripts number_of_functions number_of_libraries process_id pubsub_channels
        pubsub_clients pubsub_patterns pubsubshard_channels rdb_bgsave_in_progress rdb_changes_since_last_save
        rdb_current_bgsave_time_sec rdb_last_bgsave_status rdb_last_bgsave_time_sec rdb_last_cow_size
        rdb_last_load_keys_expired rdb_last_load_keys_loaded rdb_last_save_time rdb_saves rejected_connections
        repl_backlog_active repl_backlog_first_byte_offset repl_backlog_histlen repl_backlog_size
        reply_buffer_expands reply_buffer_shrinks second_repl_offset slave_expires_tracked_keys sync_full
        sync_partial_err sync_partial_ok total_blocking_keys total_blocking_keys_on_nokey
        total_commands_processed total_connections_received total_error_replies total_eviction_exceeded_time
        total_net_input_bytes total_net_output_bytes total_net_repl_input_bytes total_net_repl_output_bytes
        total_reads_processed total_watched_keys total_writes_processed tracking_clients tracking_total_items
        tracking_total_keys tracking_total_prefixes unexpected_error_replies uptime_in_seconds used_cpu_sys
        used_cpu_sys_children used_cpu_sys_main_thread used_cpu_user used_cpu_user_children
        used_cpu_user_main_thread used_memory used_memory_dataset used_memory_functions used_memory_lua
        used_memory_overhead used_memory_peak used_memory_rss used_memory_scripts used_memory_scripts_eval
        used_memory_startup used_memory_vm_eval used_memory_vm_functions used_memory_vm_total watching_clients
        """);

    private static string[] Names(string text)
        => text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
}
