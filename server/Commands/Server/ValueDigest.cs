using System.Buffers.Binary;
using System.Buffers.Text;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Server;

/// <summary>The digest of a key's value, as Redis makes it of the same value: DEBUG DIGEST-VALUE.</summary>
internal static class ValueDigest
{
    // Two numbers of 64 bits, and a dot.
    private const int LongestId = 41;

    /// <summary>Adds a value, and that it expires if it does.</summary>
    /// <param name="digest">The digest.</param>
    /// <param name="record">The value's record, in any form.</param>
    /// <param name="walk">What goes through collections.</param>
    public static void Add(in Digest digest, in Record record, CollectionWalk walk)
    {
        Span<byte> type = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(type, NumberOf(record.Type));
        digest.Mix(type);
        if (record.Type == RecordType.String)
        {
            digest.Mix(record.Value);
        }
        else if (record.Type == RecordType.Stream)
        {
            AddStream(digest, record);
        }
        else
        {
            walk.Begin(record);
            while (walk.TryNext(record, out var element))
            {
                Add(digest, record.Type, element);
            }
        }

        if (record.HasExpiry)
        {
            digest.Xor("!!expire!!"u8);
        }
    }

    /// <summary>Of a stream only the entries count.</summary>
    private static void AddStream(in Digest digest, in Record record)
    {
        Span<byte> id = stackalloc byte[LongestId];
        var walk = new StreamWalk(record);
        while (walk.BlocksLeft > 0 && walk.TryNext(record, out var block))
        {
            var entries = block.Entries;
            while (entries.TryNext())
            {
                _ = Utf8Formatter.TryFormat(entries.Id.Ms, id, out var length);
                id[length++] = (byte)'.';
                _ = Utf8Formatter.TryFormat(entries.Id.Seq, id[length..], out var rest);
                digest.Mix(id[..(length + rest)]);
                while (entries.TryNextField(out var name, out var value))
                {
                    digest.Mix(name);
                    digest.Mix(value);
                }
            }
        }
    }

    private static void Add(in Digest digest, RecordType type, in WalkedElement element)
    {
        switch (type)
        {
            case RecordType.List:
                digest.Mix(element.Name);
                return;
            case RecordType.Set:
                digest.Xor(element.Name);
                return;
        }

        Span<byte> own = stackalloc byte[Digest.Bytes];
        own.Clear();
        var sum = new Digest(own);
        sum.Mix(element.Name);
        if (type == RecordType.SortedSet)
        {
            Span<byte> score = stackalloc byte[ExactDoubleFormat.MaxBytes];
            sum.Mix(score[..ExactDoubleFormat.Format(element.Score, score)]);
        }
        else
        {
            sum.Mix(element.Value);
            if (element.ExpiryMs >= 0)
            {
                sum.Xor("!!hexpire!!"u8);
            }
        }

        digest.Xor(own);
    }

    /// <summary>The number that Redis has for a type.</summary>
    private static int NumberOf(RecordType type) => type switch
    {
        RecordType.String => 0,
        RecordType.List => 1,
        RecordType.Set => 2,
        RecordType.SortedSet => 3,
        RecordType.Stream => 6,
        _ => 4,
    };
}
