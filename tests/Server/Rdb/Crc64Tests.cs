using NUnit.Framework;
using Strata.Server.Rdb;

namespace Strata.Tests.Server.Rdb;

[TestFixture]
internal sealed class Crc64Tests
{
    [Test]
    public void The_checksum_is_that_of_redis()
    {
        Assert.That(Crc64.Of("123456789"u8), Is.EqualTo(0xe9c6d914c4b8d9ca));
        Assert.That(Crc64.Of([]), Is.Zero);
    }

    [Test]
    public void Bytes_may_be_added_in_any_pieces()
    {
        var bytes = new byte[100];
        new Random(5).NextBytes(bytes);
        var whole = Crc64.Of(bytes);
        for (var i = 0; i <= bytes.Length; i++)
        {
            var crc = default(Crc64);
            crc.Add(bytes.AsSpan(0, i));
            crc.Add(bytes.AsSpan(i));
            Assert.That(crc.Value, Is.EqualTo(whole));
        }
    }
}
