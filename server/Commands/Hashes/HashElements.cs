using Strata.Server.Commands.Collections;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;

namespace Strata.Server.Commands.Hashes;

/// <summary>A hash as HSCAN and HRANDFIELD go through it.</summary>
internal readonly unsafe ref struct HashElements : IElementSource
{
    private readonly HashReader _hash;

    /// <summary>Opens a hash in each step of a command.</summary>
    public static readonly OpenElements<HashElements> Open = static (in record, nowMs) => new(new(record, nowMs));

    public HashElements(HashReader hash)
    {
        _hash = hash;
    }

    public long Count => _hash.Count;

    public long LargeBytes => _hash.LargeBytes;

    public ElementTable* Table => _hash.Table;

    public bool TryNext(ref int position, out nint element) => _hash.TryNext(ref position, out element);

    public bool IsLive(nint element) => !_hash.IsExpired(element);

    public ReadOnlySpan<byte> NameOf(nint element) => _hash.NameOf(element);

    public void WriteName(ReplyWriter reply, nint element) => reply.Bulk(_hash.NameOf(element));

    public void WriteValue(ReplyWriter reply, nint element) => reply.Bulk(_hash.ValueOf(element));
}
