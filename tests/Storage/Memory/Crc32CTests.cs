using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

/// <summary>CRC-32C by vectors of RFC 3720, appendix B.4, and of the catalogue of parametrised CRC
/// algorithms.</summary>
[TestFixture]
internal sealed unsafe class Crc32CTests
{
    private static readonly object[] s_vectors =
    [
        new object[] { "123456789"u8.ToArray(), 0xE3069283u },
        new object[] { new byte[32], 0x8A9136AAu },
        new object[] { Enumerable.Repeat((byte)0xFF, 32).ToArray(), 0x62A8AB43u },
        new object[] { Enumerable.Range(0, 32).Select(i => (byte)i).ToArray(), 0x46DD794Eu },
        new object[] { Enumerable.Range(0, 32).Select(i => (byte)(31 - i)).ToArray(), 0x113FDB5Cu },
        new object[] { Array.Empty<byte>(), 0u },
    ];

    [TestCaseSource(nameof(s_vectors))]
    public void Has_the_known_value(byte[] bytes, uint expected)
        => Assert.That(~Continue(Crc32C.Begin, bytes), Is.EqualTo(expected));

    [TestCaseSource(nameof(s_vectors))]
    public void Is_the_same_in_two_pieces(byte[] bytes, uint expected)
    {
        for (var cut = 0; cut <= bytes.Length; cut++)
        {
            var crc = Continue(Continue(Crc32C.Begin, bytes[..cut]), bytes[cut..]);
            Assert.That(~crc, Is.EqualTo(expected), $"cut at {cut}");
        }
    }

    [Test]
    public void Takes_a_number_as_its_eight_bytes()
        => Assert.That(
            Crc32C.Continue(Crc32C.Begin, 0x0807060504030201),
            Is.EqualTo(Continue(Crc32C.Begin, [1, 2, 3, 4, 5, 6, 7, 8])));

    private static uint Continue(uint crc, byte[] bytes)
    {
        fixed (byte* start = bytes)
        {
            return Crc32C.Continue(crc, start, bytes.Length);
        }
    }
}
