using System.Globalization;
using System.Text;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;

namespace Strata.Tests.Server.Changes;

/// <summary>What a record says, as a text that does not depend on how it is kept: packed, large or frozen.</summary>
internal static unsafe class RecordText
{
    /// <summary>Type, expiry and value of a record in memory.</summary>
    public static string Of(in Record record)
    {
        var text = new StringBuilder();
        _ = text.Append(CultureInfo.InvariantCulture, $"{record.Type} {record.ExpiryMs}:");
        List<string> elements = record.Type switch
        {
            RecordType.String => [Text(record.Value)],
            RecordType.List => List(record),
            RecordType.Set => Set(record),
            RecordType.Hash => Hash(record),
            RecordType.SortedSet => SortedSet(record),
            RecordType.Stream => Stream(record),
            _ => throw new InvalidOperationException($"no text for records of type {record.Type}"),
        };
        foreach (var element in elements)
        {
            _ = text.Append(CultureInfo.InvariantCulture, $" {element.Length}'{element}");
        }

        return text.ToString();
    }

    private static string Text(ReadOnlySpan<byte> bytes) => Encoding.Latin1.GetString(bytes);

    private static List<string> List(in Record record)
    {
        var elements = new List<string>();
        for (var cursor = new ListReader(record).At(0); !cursor.IsEnd; cursor.MoveNext())
        {
            elements.Add(Text(cursor.Current));
        }

        return elements;
    }

    private static List<string> Set(in Record record)
    {
        var members = new List<string>();
        foreach (var member in new SetReader(record))
        {
            members.Add(Text(member));
        }

        members.Sort(string.CompareOrdinal);
        return members;
    }

    /// <summary>Fields whose time has come are there as long as they are not taken out.</summary>
    private static List<string> Hash(in Record record)
    {
        var hash = new HashReader(record, nowMs: 0);
        var fields = new List<string>();
        if (hash.Table == null)
        {
            for (var position = 0; hash.TryNext(ref position, out var field);)
            {
                fields.Add(Field(hash, field));
            }
        }
        else
        {
            for (var walk = ElementTable.Walk(hash.Table); walk.TryNext(out var block);)
            {
                fields.Add(Field(hash, (nint)block));
            }
        }

        fields.Sort(string.CompareOrdinal);
        return fields;
    }

    private static string Field(in HashReader hash, nint field)
    {
        var name = hash.NameOf(field);
        _ = hash.TryGetExpiry(name, out var expiryMs);
        return $"{name.Length}'{Text(name)}={expiryMs}'{Text(hash.ValueOf(field))}";
    }

    private static List<string> SortedSet(in Record record)
    {
        var set = new SortedSetReader(record);
        var elements = new List<string>();
        for (var cursor = set.Walk(set.All); cursor.TryNext(out var element);)
        {
            elements.Add($"{element.Score.ToString("R", CultureInfo.InvariantCulture)}'{Text(element.Member)}");
        }

        return elements;
    }

    private static List<string> Stream(in Record record)
    {
        var stream = new StreamView(record);
        var parts = new List<string>
        {
            $"{stream.LastId} {stream.FirstId} {stream.MaxDeletedId} {stream.EntriesAdded} {stream.NodeCount}",
        };
        for (var walk = new StreamWalk(record); walk.TryNext(record, out var part);)
        {
            parts.Add($"{part.Kind} {part.Id} {Text(part.Name)} {part.EntriesRead} {part.SeenMs} {part.ActiveMs} "
                + $"{part.DeliveredMs} {part.Deliveries}");
            if (part.Kind == StreamPartKind.Block)
            {
                AddEntries(parts, part.Entries);
            }
        }

        return parts;
    }

    private static void AddEntries(List<string> parts, StreamCursor entries)
    {
        while (entries.TryNext())
        {
            var text = new StringBuilder($"{entries.Id}");
            while (entries.TryNextField(out var name, out var value))
            {
                _ = text.Append(
                    CultureInfo.InvariantCulture, $" {name.Length}'{Text(name)}{value.Length}'{Text(value)}");
            }

            parts.Add(text.ToString());
        }
    }
}
