using System.Diagnostics;
using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>A small file system in memory.</summary>
internal sealed class SmallDisk : IDisposable
{
    private SmallDisk(string folder) => Folder = folder;

    public string Folder { get; }

    public static SmallDisk Mount(int megabytes)
    {
        var folder = Directory.CreateTempSubdirectory("strata-small-disk").FullName;
        if (!TryRun("mount", "-t", "tmpfs", "-o", $"size={megabytes}m", "tmpfs", folder))
        {
            Directory.Delete(folder);
            Assert.Ignore("Only root may mount the small disk this needs.");
        }

        return new SmallDisk(folder);
    }

    public void Dispose()
    {
        _ = TryRun("umount", "--lazy", Folder);
        Directory.Delete(Folder, recursive: true);
    }

    private static bool TryRun(string program, params string[] arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments)
            {
                RedirectStandardError = true,
            })!;
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
