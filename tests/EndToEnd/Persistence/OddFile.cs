using System.Diagnostics;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>What is no file in the place of one.</summary>
internal static class OddFile
{
    public static void Make(string path, string kind)
    {
        switch (kind)
        {
            case "folder":
                _ = Directory.CreateDirectory(path);
                break;
            case "pipe":
                using (var make = Process.Start("mkfifo", [path]))
                {
                    make.WaitForExit();
                }

                break;
            case "loop":
                File.CreateSymbolicLink(path, path);
                break;
            default:
                File.CreateSymbolicLink(path, path + ".that-is-not-there");
                break;
        }
    }

    public static void Remove(string path)
    {
        if (Directory.Exists(path))
        {
            Directory.Delete(path);
        }
        else
        {
            File.Delete(path);
        }
    }
}
