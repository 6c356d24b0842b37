
namespace Strata.Server.Reports;

/// <summary>INFO cpu: seconds of CPU that the process has used.</summary>
internal static class CpuSection
{
    private const int Digits = 6;

    public static void Write(InfoText text)
    {
        var usage = Environment.CpuUsage;
        text.Section("CPU");
        text.Field("used_cpu_sys", usage.PrivilegedTime.TotalSeconds, Digits);
        text.Field("used_cpu_user", usage.UserTime.TotalSeconds, Digits);
    }
}
