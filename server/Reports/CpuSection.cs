using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO cpu: seconds of CPU that the process has used, and those of its threads that execute commands (Redis's
/// main thread) as of their last tick. There are no children.</summary>
internal static class CpuSection
{
    private const int Digits = 6;

    public static void Write(InfoText text, MetricSource source)
    {
        var usage = Environment.CpuUsage;
        var workers = source.Services.Workers;
        text.Section("CPU");
        text.Field("used_cpu_sys", usage.PrivilegedTime.TotalSeconds, Digits);
        text.Field("used_cpu_user", usage.UserTime.TotalSeconds, Digits);
        text.Field("used_cpu_sys_children", 0, Digits);
        text.Field("used_cpu_user_children", 0, Digits);
        text.Field("used_cpu_sys_main_thread", workers.Sum(worker => worker.Usage.System.TotalSeconds), Digits);
        text.Field("used_cpu_user_main_thread", workers.Sum(worker => worker.Usage.User.TotalSeconds), Digits);
    }
}
