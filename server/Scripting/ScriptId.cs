using System.Buffers.Binary;
using System.Security.Cryptography;
using Strata.Storage.Runtime;

namespace Strata.Server.Scripting;

/// <summary>What a script is called: the SHA-1 of its body.</summary>
/// <param name="First">Its first eight bytes.</param>
/// <param name="Second">The next eight.</param>
/// <param name="Third">The last four.</param>
public readonly record struct ScriptId(ulong First, ulong Second, uint Third)
{
    /// <summary>Characters of an id in writing.</summary>
    public const int TextLength = 40;

    /// <summary>The id of a body.</summary>
    public static ScriptId Of(ReadOnlySpan<byte> body)
    {
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
        Digests.Sha1(body, hash);
        return FromBytes(hash);
    }

    /// <summary>Reads an id in hexadecimal digits of either case.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ScriptId id)
    {
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
        id = default;
        if (text.Length != TextLength || Convert.FromHexString(text, hash, out _, out _) != default)
        {
            return false;
        }

        id = FromBytes(hash);
        return true;
    }

    /// <summary>Writes the id in lower case.</summary>
    /// <param name="text">Room for <see cref="TextLength"/> bytes.</param>
    public void Write(Span<byte> text)
    {
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
        BinaryPrimitives.WriteUInt64BigEndian(hash, First);
        BinaryPrimitives.WriteUInt64BigEndian(hash[8..], Second);
        BinaryPrimitives.WriteUInt32BigEndian(hash[16..], Third);
        Convert.TryToHexStringLower(hash, text, out _);
    }

    /// <inheritdoc/>
    public override string ToString()
        => $"{First:x16}{Second:x16}{Third:x8}";

    /// <inheritdoc/>
    public override int GetHashCode() => (int)First; // Of a hash any part is one.

    private static ScriptId FromBytes(ReadOnlySpan<byte> hash) => new(
        BinaryPrimitives.ReadUInt64BigEndian(hash),
        BinaryPrimitives.ReadUInt64BigEndian(hash[8..]),
        BinaryPrimitives.ReadUInt32BigEndian(hash[16..]));
}
