using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Devices.Native;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Devices;

/// <summary>The two sides of the native interface say the same: constants and functions by the header's text, layouts
/// by the library's own word.</summary>
internal sealed class NativeInterfaceTests
{
    private static readonly string s_header = File.ReadAllText(RepositoryRoot.Combine("native", "include", "device.h"));

    [Test]
    public void Constants_agree()
    {
        var pattern = new Regex(@"STRATA_(\w+) = (\d+),|#define STRATA_(\w+) (\d+)$", RegexOptions.Multiline);
        var inHeader = pattern.Matches(s_header).ToDictionary(
            match => NameOf(match.Groups[1].Value + match.Groups[3].Value),
            match => int.Parse(match.Groups[2].Value + match.Groups[4].Value, CultureInfo.InvariantCulture));
        var inProgram = typeof(NativeConstants).GetFields(BindingFlags.Public | BindingFlags.Static)
            .ToDictionary(field => field.Name, field => (int)field.GetRawConstantValue()!);
        Assert.That(inHeader, Has.Count.AtLeast(10));
        Assert.That(inProgram, Is.EquivalentTo(inHeader));
    }

    [Test]
    public void Functions_agree()
    {
        var declared = Regex.Matches(s_header, @"^STRATA_EXPORT \w+ (strata_\w+)\(", RegexOptions.Multiline)
            .Select(match => match.Groups[1].Value);
        var file = RepositoryRoot.Combine("storage", "Devices", "Native", "DeviceLibrary.cs");
        var imported = Regex.Matches(File.ReadAllText(file), @"EntryPoint = ""(\w+)""")
            .Select(match => match.Groups[1].Value);
        Assert.That(imported, Is.EquivalentTo(declared));
    }

    [Test]
    public unsafe void Layouts_agree()
    {
        FileDevices.SkipUnlessLoaded();
        var ours = NativeLayout.Ours();
        NativeLayout theirs;
        Assert.That(DeviceLibrary.Handshake(&ours, &theirs), Is.EqualTo(NativeConstants.Ok));
        Assert.That(theirs, Is.EqualTo(ours));
    }

    [Test]
    public unsafe void A_library_of_another_build_is_refused()
    {
        FileDevices.SkipUnlessLoaded();
        NativeLayout theirs;
        var ours = NativeLayout.Ours();
        ours.Version++;
        var status = DeviceLibrary.Handshake(&ours, &theirs);
        Assert.That(status, Is.EqualTo(NativeConstants.EVersion));
        Assert.That(LibraryLoader.Compare(status, theirs, "the.so"), Does.Contain("the.so").And.Contain("same build"));
        ours = NativeLayout.Ours();
        ours.CompletionBytes += 8;
        status = DeviceLibrary.Handshake(&ours, &theirs);
        Assert.That(status, Is.EqualTo(NativeConstants.ELayout));
        Assert.That(LibraryLoader.Compare(status, theirs, "the.so"), Does.Contain("the.so").And.Contain("same build"));
    }

    [Test]
    public void A_library_that_is_missing_or_none_is_refused()
    {
        var folder = Directory.CreateTempSubdirectory("strata-test-").FullName;
        try
        {
            var path = Path.Combine(folder, "libstrata_device.so");
            Assert.That(LibraryLoader.File.Load(path, out _), Does.Contain("missing").And.Contain(path));
            File.WriteAllText(path, "no library");
            Assert.That(LibraryLoader.File.Load(path, out _), Does.Contain("does not load").And.Contain("./build.sh"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Test]
    public void A_probed_sector_is_what_the_kernel_says()
    {
        FileDevices.SkipUnlessLoaded();
        var folder = Directory.CreateTempSubdirectory("strata-test-").FullName;
        try
        {
            var sector = new NativeFileSystem().ProbeSector(folder);
            Assert.That(sector, Is.AtLeast(512).And.AtMost(1 << 20));
            Assert.That(int.IsPow2(sector));
            Assert.That(Directory.GetFileSystemEntries(folder), Is.Empty);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        var refusal = Assert.Throws<DeviceException>(() => new NativeFileSystem().ProbeSector(folder))!;
        Assert.That(refusal.Message, Does.Contain(folder).And.Contain("errno 2"));
    }

    // E_SYSTEM is ESystem, BACKEND_IO_URING is BackendIoUring.
    private static string NameOf(string name)
        => string.Concat(name.Split('_').Select(word => word[..1] + word[1..].ToLowerInvariant()));
}
