using System.Security.Cryptography;
using Strata.Storage.Runtime;

namespace Strata.Server.Commands.Server;

/// <summary>The digests by which DEBUG DIGEST compares data, in Redis's way: of parts whose order counts each is mixed
/// in, of others the sums are put together by XOR.</summary>
internal ref struct Digest
{
    /// <summary>Bytes of a digest.</summary>
    public const int Bytes = SHA1.HashSizeInBytes;

    private readonly Span<byte> _value;

    /// <summary>A digest that lies in given bytes, and goes on from what they hold.</summary>
    public Digest(Span<byte> value)
    {
        _value = value;
    }

    /// <summary>Adds a part whose place does not count.</summary>
    public readonly void Xor(ReadOnlySpan<byte> part)
    {
        Span<byte> sum = stackalloc byte[Bytes];
        Digests.Sha1(part, sum);
        for (var i = 0; i < Bytes; i++)
        {
            _value[i] ^= sum[i];
        }
    }

    /// <summary>Adds a part whose place counts.</summary>
    public readonly void Mix(ReadOnlySpan<byte> part)
    {
        Xor(part);
        Span<byte> sum = stackalloc byte[Bytes];
        Digests.Sha1(_value, sum);
        sum.CopyTo(_value);
    }
}
