using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>An entry of a collection that was written as one string: text, or an integer that was text.</summary>
internal readonly ref struct BlobEntry
{
    /// <summary>Text.</summary>
    public BlobEntry(ReadOnlySpan<byte> text)
    {
        Text = text;
    }

    /// <summary>An integer.</summary>
    public BlobEntry(long integer)
    {
        Integer = integer;
        IsInteger = true;
    }

    public bool IsInteger { get; }

    public long Integer { get; }

    public ReadOnlySpan<byte> Text { get; }

    /// <summary>The entry as text.</summary>
    /// <param name="digits">Room for an integer, <see cref="CanonicalInteger.MaxBytes"/>.</param>
    public ReadOnlySpan<byte> AsText(Span<byte> digits)
        => IsInteger ? digits[..CanonicalInteger.Format(Integer, digits)] : Text;
}
