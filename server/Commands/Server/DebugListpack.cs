using System.Globalization;
using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG LISTPACK key: writes the elements of a small collection to the server's log, in the order in which
/// they lie.</summary>
internal static class DebugListpack
{
    public static void Execute(CommandContext context)
    {
        if (!context.TryPeek(context.KeyAt(2), out var record))
        {
            context.Reply.Error(Errors.NoSuchKey);
        }
        else if (!TypeInfo.Of(record.Type).EncodingOf(record).StartsWith("listpack"u8))
        {
            context.Reply.Error("ERR Not a listpack encoded object."u8);
        }
        else
        {
            Write(context, record);
            context.Reply.Simple("Listpack structure printed on stdout"u8);
        }
    }

    private static void Write(CommandContext context, in Record record)
    {
        var log = context.Server.Log;
        log.DebugMessage($"{{total bytes {record.ValueLength}}}");
        Span<byte> score = stackalloc byte[DoubleFormat.MaxBytes];
        var walk = new CollectionWalk();
        walk.Begin(record);
        for (var i = 0; walk.TryNext(record, out var element); i++)
        {
            if (i == ServerLimits.MaxLoggedElements)
            {
                log.DebugMessage($"... the first {i} elements");
                return;
            }

            using var line = new MemoryStream();
            line.Write(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{i}: ")));
            MonitorLine.Quote(line, element.Name);
            if (record.Type == RecordType.Hash)
            {
                line.Write(" = "u8);
                MonitorLine.Quote(line, element.Value);
            }
            else if (record.Type == RecordType.SortedSet)
            {
                line.Write(" = "u8);
                line.Write(score[..DoubleFormat.Format(element.Score, score)]);
            }

            log.DebugMessage(Encoding.ASCII.GetString(line.GetBuffer(), 0, (int)line.Length));
        }
    }
}
