using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What the runtime holds of answers that are made of texts is part of the memory that a limit allows for.
/// </summary>
[TestFixture]
public sealed class ManagedMemoryTests
{
    private const int Answers = 4000;
    private const long SlackBytes = 32 << 20;

    /// <summary>However large the machine's caches, by which the runtime measures what may lie about.</summary>
    [Test]
    public void What_was_answered_does_not_stay()
    {
        using var server = StrataProcess.Start("--maxmemory", "64mb", "--workers", "1");
        using var connection = server.Connect();
        _ = connection.Call("INFO", "everything");
        var idle = server.ResidentBytes();
        for (var i = 0; i < Answers; i++)
        {
            Assert.That(connection.Call("INFO", "everything").IsError, Is.False);
        }

        Assert.That(server.ResidentBytes() - idle, Is.LessThan(SlackBytes));
    }
}
