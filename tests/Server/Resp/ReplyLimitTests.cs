using NUnit.Framework;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Resp;

/// <summary>Replies as long as they can be.</summary>
[TestFixture]
[Category(TestCategories.Long)]
internal sealed class ReplyLimitTests
{
    private const int PartBytes = 1 << 28;

    [Test]
    public void There_is_room_for_the_errors_of_the_commands_that_find_none()
    {
        using var writer = new ReplyWriter();
        var part = new byte[PartBytes];
        for (var size = PartBytes; size > 0; size /= 2)
        {
            while (TryWrite(writer, part.AsSpan(0, size)))
            {
                // All there is room for.
            }
        }

        var length = writer.Length;
        for (var i = 0; i < 64; i++)
        {
            Assert.That(TryWrite(writer, part.AsSpan(0, 1)), Is.False);
            writer.Error("OOM " + new string('x', 128));
        }

        Assert.That(writer.Errors, Is.EqualTo(64));
        Assert.That(writer.Length - length, Is.EqualTo(64 * ("-OOM \r\n".Length + 128)));
    }

    private static bool TryWrite(ReplyWriter writer, ReadOnlySpan<byte> bytes)
    {
        try
        {
            writer.Raw(bytes);
            return true;
        }
        catch (MemoryExhaustedException)
        {
            return false;
        }
    }
}
