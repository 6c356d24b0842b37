using System.Runtime.InteropServices;

namespace Strata.Server.Versions;

/// <summary>What the server runs on, as uname(1) tells it: "Linux 6.12.0 x86_64".</summary>
internal static class OperatingSystemName
{
    /// <summary>Asks the kernel, which takes a file descriptor.</summary>
    public static string Read()
    {
        var architecture = RuntimeInformation.OSArchitecture switch
        {
            Architecture.X64 => "x86_64",
            Architecture.Arm64 => "aarch64",
            var other => other.ToString().ToLowerInvariant(),
        };
        return $"Linux {File.ReadAllText("/proc/sys/kernel/osrelease").Trim()} {architecture}";
    }
}
