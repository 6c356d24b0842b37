using System.Text.Json;
using System.Text.Json.Nodes;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Image;

/// <summary>
/// A storage of buildah's in a folder of its own, with the image that scripts/build-image.sh builds. Commands run in it
/// as `docker run` would run them, but for the network, the processes and the users, which are the machine's.
/// </summary>
internal sealed class ImageStorage : IDisposable
{
    private const string Image = "strata:debian";
    private const string DefaultProfile = "/usr/share/containers/seccomp.json"; // It comes with buildah.
    private const int CannotExitCode = 77;
    private const int BuildHangMs = 14 * 60_000; // less than after which test.sh takes the tests for hung

    private readonly string _folder = RepositoryRoot.Combine("out", "image", $"storage-{Guid.NewGuid():N}");

    /// <summary>Builds the image. Where this machine cannot, ignores the running test and says why.</summary>
    public ImageStorage()
    {
        var script = RepositoryRoot.Combine("scripts", "build-image.sh");
        try
        {
            var (exitCode, output) = ProgramRun.RunWithin(BuildHangMs, "/bin/sh", [script, _folder]);
            if (exitCode == CannotExitCode)
            {
                Assert.Ignore(output.TrimEnd().Split('\n')[^1]);
            }

            Assert.That(exitCode, Is.Zero, output);
            Configuration = ReadConfiguration();
            Container = Run("from", "--pull-never", "--security-opt", $"seccomp={WriteProfile()}", Image).Trim();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The image's configuration, as `docker inspect` shows it.</summary>
    public JsonElement Configuration { get; }

    /// <summary>A container of the image, under a seccomp profile that refuses io_uring as Docker's does.</summary>
    public string Container { get; }

    /// <summary>The arguments of buildah that run something in the container.</summary>
    /// <param name="volumes">Files and folders of the machine, each FROM:TO and maybe :ro.</param>
    /// <param name="command">The program and its arguments.</param>
    public string[] RunArguments(IEnumerable<string> volumes, IEnumerable<string> command) =>
    [
        .. Place("run", "--isolation", "chroot"),
        .. volumes.SelectMany(volume => new[] { "--volume", volume }),
        Container,
        "--",
        .. command,
    ];

    public void Dispose()
    {
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    private JsonElement ReadConfiguration()
    {
        using var document = JsonDocument.Parse(Run("inspect", "--type", "image", Image));
        return document.RootElement.GetProperty("Docker").GetProperty("config").Clone();
    }

    /// <summary>The default profile, with the answer to io_uring's calls that Docker's and containerd's give.</summary>
    private string WriteProfile()
    {
        var profile = JsonNode.Parse(File.ReadAllText(DefaultProfile))!.AsObject();
        profile["syscalls"]!.AsArray().Insert(0, JsonNode.Parse(
            """
            {
              "names": ["io_uring_setup", "io_uring_enter", "io_uring_register"],
              "action": "SCMP_ACT_ERRNO", "errnoRet": 1, "args": [], "includes": {}, "excludes": {}
            }
            """));
        var path = Path.Combine(_folder, "seccomp.json");
        File.WriteAllText(path, profile.ToJsonString());
        return path;
    }

    private string[] Place(params string[] command) =>
    [
        "--root", Path.Combine(_folder, "storage"), "--runroot", Path.Combine(_folder, "run"),
        "--storage-driver", "vfs", .. command,
    ];

    private string Run(params string[] command)
    {
        var (exitCode, output) = ProgramRun.Run("buildah", Place(command));
        Assert.That(exitCode, Is.Zero, output);
        return output;
    }
}
