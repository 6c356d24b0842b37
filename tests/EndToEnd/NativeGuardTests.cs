using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>The native libraries as they were built for the server: with what makes the end of the process of an error
/// in them that would be a way in.</summary>
internal sealed class NativeGuardTests
{
    [TestCase("libstrata_device.so")]
    [TestCase("libstrata_script.so")]
    [TestCase("libstrata_tls.so")]
    public void A_library_has_its_guards(string name)
    {
        var library = new ElfFile(PathOf(name));
        Assert.That(library.HasReadOnlyRelocations, "RELRO");
        Assert.That(library.IsBoundAtOnce, "BIND_NOW");
        Assert.That(library.HasRelocationsInCode, Is.False, "TEXTREL");
        Assert.That(library.WantsExecutableStack, Is.False, "NX");
        Assert.That(library.HasWritableCode, Is.False, "RWX");
        Assert.That(library.Names("__stack_chk_fail"), "stack protector");
    }

    [Test]
    public void The_running_server_has_no_memory_that_is_written_and_executed()
    {
        using var server = StrataProcess.Start();
        using var client = server.Connect();
        Assert.That(client.Call("EVAL", "return redis.call('SET', KEYS[1], 'v')", "1", "k").Text, Is.EqualTo("OK"));
        var maps = File.ReadLines($"/proc/{server.Pid}/maps");
        Assert.That(maps.Where(static line => line.Contains(" rwx", StringComparison.Ordinal)), Is.Empty);
    }

    private static string PathOf(string library)
    {
        var program = new FileInfo(StrataProcess.Program());
        var target = (FileInfo?)program.ResolveLinkTarget(returnFinalTarget: true) ?? program;
        return Path.Combine(target.DirectoryName!, library);
    }
}
