using System.Collections.Concurrent;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>What is told of each command, as it was written when it was asked for first, in each protocol: it never
/// changes, takes some hundred kilobytes for all, and a transaction may ask for it again and again. Any thread.
/// </summary>
/// <param name="write">Writes it.</param>
internal sealed class PreparedReplies(Action<CommandContext, CommandRow> write)
{
    private readonly ConcurrentDictionary<(CommandRow Row, int Protocol), byte[]> _replies = new();

    /// <summary>Writes what is told of a command.</summary>
    public void Write(CommandContext context, CommandRow row)
    {
        var reply = context.Reply;
        if (_replies.TryGetValue((row, reply.Protocol), out var prepared))
        {
            reply.Raw(prepared, isPart: true);
            return;
        }

        var start = reply.Length;
        write(context, row);
        _ = _replies.TryAdd((row, reply.Protocol), reply.WrittenSpan[start..].ToArray());
    }
}
