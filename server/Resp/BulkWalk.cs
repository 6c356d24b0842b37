using System.Buffers.Text;

namespace Strata.Server.Resp;

/// <summary>The bulk strings of a reply of this server's own, one after the other.</summary>
internal ref struct BulkWalk(ReadOnlySpan<byte> reply)
{
    private ReadOnlySpan<byte> _rest = reply;

    /// <summary>Passes over the header of an array, a set or a map.</summary>
    public void SkipHeader() => _rest = _rest[(_rest.IndexOf((byte)'\n') + 1)..];

    /// <summary>Gives the next string.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryNext(out ReadOnlySpan<byte> value)
    {
        value = default;
        if (_rest.IsEmpty)
        {
            return false;
        }

        _ = Utf8Parser.TryParse(_rest[1..], out int length, out var digits);
        var start = 1 + digits + 2;
        value = _rest.Slice(start, length);
        _rest = _rest[(start + length + 2)..];
        return true;
    }
}
