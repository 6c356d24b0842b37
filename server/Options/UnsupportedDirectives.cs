namespace Strata.Server.Options;

/// <summary>
/// The directives that a configuration of Redis 7.2 may hold and this server does not know how to follow. They are
/// accepted, so that an existing redis.conf loads, have no effect, and are listed in one warning at start; but what
/// restricts access keeps the server from starting, unless <c>allow-unsupported</c> names it.
/// </summary>
public sealed class UnsupportedDirectives
{
    private static readonly HashSet<string> s_names = new(StringComparer.OrdinalIgnoreCase)
    {
        "acl-pubsub-default", "aclfile", "acllog-max-len", "active-defrag-cycle-max", "active-defrag-cycle-min",
        "active-defrag-ignore-bytes", "active-defrag-max-scan-fields", "active-defrag-threshold-lower",
        "active-defrag-threshold-upper", "activedefrag", "activerehashing", "always-show-logo", "aof-disable-auto-gc",
        "aof-load-truncated", "aof-rewrite-incremental-fsync", "aof-timestamp-enabled", "aof-use-rdb-preamble",
        "aof_rewrite_cpulist", "appenddirname", "appendfilename", "appendfsync", "appendonly",
        "auto-aof-rewrite-min-size", "auto-aof-rewrite-percentage", "bgsave_cpulist", "bind-source-addr", "bio_cpulist",
        "busy-reply-threshold", "client-default-resp", "cluster-allow-pubsubshard-when-down",
        "cluster-allow-reads-when-down", "cluster-allow-replica-migration", "cluster-announce-bus-port",
        "cluster-announce-hostname", "cluster-announce-human-nodename", "cluster-announce-ip", "cluster-announce-port",
        "cluster-announce-tls-port", "cluster-config-file", "cluster-enabled", "cluster-link-sendbuf-limit",
        "cluster-migration-barrier", "cluster-node-timeout", "cluster-ping-interval", "cluster-port",
        "cluster-preferred-endpoint-type", "cluster-replica-no-failover", "cluster-replica-validity-factor",
        "cluster-require-full-coverage", "cluster-slave-no-failover", "cluster-slave-validity-factor",
        "crash-log-enabled", "crash-memcheck-enabled", "daemonize", "dbfilename", "dynamic-hz", "enable-module-command",
        "enable-protected-configs", "hll-sparse-max-bytes", "ignore-warnings", "io-threads", "io-threads-do-reads",
        "jemalloc-bg-thread", "key-load-delay", "lazyfree-lazy-eviction", "lazyfree-lazy-expire",
        "lazyfree-lazy-server-del", "lazyfree-lazy-user-del", "lazyfree-lazy-user-flush", "lfu-decay-time",
        "lfu-log-factor", "list-max-ziplist-entries", "list-max-ziplist-value", "loading-process-events-interval-bytes",
        "loadmodule", "locale-collate", "lua-replicate-commands", "lua-time-limit", "masterauth", "masteruser",
        "maxmemory-clients", "maxmemory-eviction-tenacity", "maxmemory-samples", "min-replicas-max-lag",
        "min-replicas-to-write", "min-slaves-max-lag", "min-slaves-to-write", "no-appendfsync-on-rewrite",
        "oom-score-adj", "oom-score-adj-values", "pidfile", "proc-title-template",
        "propagation-error-behavior", "rdb-del-sync-files", "rdb-key-save-delay", "rdb-save-incremental-fsync",
        "rdbchecksum", "rdbcompression", "rename-command", "repl-backlog-size", "repl-backlog-ttl",
        "repl-disable-tcp-nodelay", "repl-diskless-load", "repl-diskless-sync", "repl-diskless-sync-delay",
        "repl-diskless-sync-max-replicas", "repl-ping-replica-period", "repl-ping-slave-period", "repl-timeout",
        "replica-announce-ip", "replica-announce-port", "replica-announced", "replica-ignore-disk-write-errors",
        "replica-ignore-maxmemory", "replica-lazy-flush", "replica-priority", "replica-read-only",
        "replica-serve-stale-data", "replicaof", "req-res-logfile", "sanitize-dump-payload", "save", "sentinel",
        "server_cpulist", "set-proc-title", "shutdown-on-sigint", "shutdown-on-sigterm", "shutdown-timeout",
        "slave-announce-ip", "slave-announce-port", "slave-ignore-maxmemory", "slave-lazy-flush", "slave-priority",
        "slave-read-only", "slave-serve-stale-data", "slaveof", "socket-mark-id", "stop-writes-on-bgsave-error",
        "stream-node-max-bytes", "stream-node-max-entries", "supervised", "syslog-enabled", "syslog-facility",
        "syslog-ident", "tls-auth-clients", "tls-ca-cert-dir", "tls-ca-cert-file", "tls-cert-file", "tls-ciphers",
        "tls-ciphersuites", "tls-client-cert-file", "tls-client-key-file", "tls-client-key-file-pass", "tls-cluster",
        "tls-dh-params-file", "tls-key-file", "tls-key-file-pass", "tls-port", "tls-prefer-server-ciphers",
        "tls-protocols", "tls-replication", "tls-session-cache-size", "tls-session-cache-timeout",
        "tls-session-caching", "tracking-table-max-keys", "use-exit-on-panic", "user", "watchdog-period",
    };

    private readonly List<string> _found = [];
    private readonly List<(string Name, string Place)> _restricting = [];

    /// <summary>Whether a word is such a directive. Names with a dot are those of modules.</summary>
    public static bool Contains(string name) => s_names.Contains(name) || name.Contains('.');

    /// <summary>Notes that a directive was given.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="words">Its values.</param>
    /// <param name="place">Where it was given, for the error.</param>
    public void Add(string name, IReadOnlyList<string> words, string place)
    {
        var spelled = name.ToLowerInvariant();
        if (!_found.Contains(spelled))
        {
            _found.Add(spelled);
        }

        if (RestrictsAccess(spelled, words))
        {
            _restricting.Add((spelled, place));
        }
    }

    /// <summary>Refuses what was meant to keep somebody out, unless it was said that it may be missing: the server
    /// would be more open without it than its owner thinks.</summary>
    /// <param name="allowed">Names that may be missing.</param>
    /// <exception cref="ConfigurationException">There is one that may not.</exception>
    public void Check(IReadOnlyList<string> allowed)
    {
        var refused = _restricting.Where(directive => !allowed.Contains(directive.Name)).ToList();
        if (refused.Count > 0)
        {
            var names = string.Join(' ', refused.Select(directive => directive.Name).Distinct());
            throw new ConfigurationException(
                $"{refused[0].Place}: restricts access, which is not supported yet: the server would be open to those "
                + "it is to keep out. Use bind, requirepass or a firewall, and take it out, or start without it by "
                + $"--allow-unsupported \"{names}\"");
        }
    }

    /// <summary>
    /// The warning that lists what was given, each once, in the order given; null when there was nothing. It says apart
    /// what was meant to keep somebody out.
    /// </summary>
    public string? ToWarning()
    {
        if (_found.Count == 0)
        {
            return null;
        }

        var warning = $"Not supported yet and without effect: {string.Join(", ", _found)}.";
        var restricting = string.Join(", ", _restricting.Select(directive => directive.Name).Distinct());
        return restricting.Length == 0
            ? warning
            : $"{warning} Access is NOT restricted by {restricting}: use bind, requirepass or a firewall.";
    }

    private static bool RestrictsAccess(string name, IReadOnlyList<string> words)
        => name switch
        {
            "user" or "rename-command" => true,
            "aclfile" => words is not [] and not [""],
            "tls-port" => words is not ["0"],
            _ => name.StartsWith("tls-", StringComparison.Ordinal) && words is not [] and not [""] and not ["no"],
        };
}
