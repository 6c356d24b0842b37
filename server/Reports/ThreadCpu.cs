using System.Globalization;

namespace Strata.Server.Reports;

/// <summary>The CPU that each named thread of the process has used, as the kernel tells it (proc(5), schedstat).
/// </summary>
internal static class ThreadCpu
{
    private const double NanosecondsPerSecond = 1e9;

    /// <summary>Seconds of CPU by thread name. A thread that ends meanwhile is left out, and so are all where there are
    /// no more file descriptors.</summary>
    public static IReadOnlyDictionary<string, double> SecondsByThreadName()
    {
        var seconds = new Dictionary<string, double>(StringComparer.Ordinal);
        try
        {
            foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
            {
                Add(seconds, task);
            }
        }
        catch (IOException)
        {
            return seconds;
        }

        return seconds;
    }

    private static void Add(Dictionary<string, double> seconds, string task)
    {
        try
        {
            var name = File.ReadAllText(Path.Combine(task, "comm")).Trim();
            var nanoseconds = File.ReadAllText(Path.Combine(task, "schedstat")).Split(' ')[0];
            seconds[name] = double.Parse(nanoseconds, CultureInfo.InvariantCulture) / NanosecondsPerSecond;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return; // The thread has ended.
        }
    }
}
