using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about the process, its threads, its log and its end.</summary>
internal static class ProcessWords
{
    private static readonly EnumerationSyntax s_shutdownModes = new("default", "save", "nosave", "now", "force")
    {
        TakesSeveralWords = true,
    };

    public static readonly IReadOnlyList<InertWord> All =
    [
        new("io-threads", new IntegerSyntax(1, 128), "1") { Change = ChangeRule.AtStart },
        new("io-threads-do-reads", InertSyntax.YesNo, "no") { Change = ChangeRule.AtStart },
        new("dynamic-hz", InertSyntax.YesNo, "yes"),
        new("daemonize", InertSyntax.YesNo, "no")
        {
            Change = ChangeRule.AtStart,
            Refusal = "the server does not put itself into the background: give --daemonize no, and start it by "
                + "systemd (conf/strata.service), in a container, or from a shell with nohup and &",
        },
        new("syslog-enabled", InertSyntax.YesNo, "no")
        {
            Change = ChangeRule.AtStart,
            Refusal = "the server does not write to syslog: give --syslog-enabled no, and let journald take its "
                + "standard output, as it does of a systemd unit, or pipe that to logger(1), or set logfile",
        },
        new("syslog-ident", InertSyntax.Text, "redis") { Change = ChangeRule.AtStart },
        new("syslog-facility", new EnumerationSyntax(
            "user", "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"), "local0")
        {
            Change = ChangeRule.AtStart,
        },
        new("always-show-logo", InertSyntax.YesNo, "no") { Change = ChangeRule.AtStart },
        new("set-proc-title", InertSyntax.YesNo, "yes") { Change = ChangeRule.AtStart },
        new("proc-title-template", InertSyntax.Text, "\"{title} {listen-addr} {server-mode}\""),
        new("locale-collate", InertSyntax.Text, "\"\""),
        new("ignore-warnings", InertSyntax.Text, "\"\""),
        new("crash-log-enabled", InertSyntax.YesNo, "yes"),
        new("crash-memcheck-enabled", InertSyntax.YesNo, "yes"),
        new("use-exit-on-panic", InertSyntax.YesNo, "no") { IsHidden = true },
        new("watchdog-period", InertSyntax.Integer, "0") { IsHidden = true },
        new("shutdown-timeout", InertSyntax.Integer, "10"),
        new("shutdown-on-sigint", s_shutdownModes, "default"),
        new("shutdown-on-sigterm", s_shutdownModes, "default"),
        new("oom-score-adj", new EnumerationSyntax("no", "yes", "relative", "absolute"), "no"),
        new("oom-score-adj-values", InertSyntax.OomScores, "0 200 800"),
        CpuList("server_cpulist", "server-cpulist"),
        CpuList("bio_cpulist", "bio-cpulist"),
        CpuList("aof_rewrite_cpulist", "aof-rewrite-cpulist"),
        CpuList("bgsave_cpulist", "bgsave-cpulist"),
    ];

    private static InertWord CpuList(string name, string laterName) =>
        new(name, InertSyntax.Text, "\"\"") { Alias = laterName, Change = ChangeRule.AtStart };
}
