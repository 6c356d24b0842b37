using Strata.Server;
using Strata.Server.Journal;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Simulation;

/// <summary>Listens to what a simulated server tells its journal, and repeats it on another server, which must then
/// have the same keys.</summary>
internal sealed class JournalReplay : IDisposable
{
    private const int PieceBytes = 16 << 10;
    private const int EarlierMs = 600_000;

    private readonly EffectJournal _journal;
    private readonly EffectLog _log;
    private bool _hasEnded;

    /// <summary>Turns a server's journal on. No worker has taken a turn.</summary>
    public JournalReplay(StrataServer server)
    {
        _journal = server.Services.Journal;
        _log = new EffectLog(_journal);
    }

    /// <summary>Repeats all that was told, asks the other server what the clients asked last, and compares.</summary>
    /// <param name="last">The last requests and their replies; they change nothing.</param>
    /// <returns>The first difference; null where there is none.</returns>
    public string? FirstDifference(IReadOnlyList<Operation> last)
    {
        var told = _log.TakeBytes();
        using var server = new TurnServer(workers: 1);
        server.Clock.AdvanceMs(-EarlierMs); // It goes on by itself, and must not be ahead of what is asked for.
        var client = server.Connect();
        for (var i = 0; i < told.Length; i += PieceBytes)
        {
            client.SendRaw(told.AsSpan(i, Math.Min(told.Length - i, PieceBytes)));
            server.Settle();
            _ = client.Replies();
        }

        client = server.Connect();
        _ = client.Call("DEBUG SET-ACTIVE-EXPIRE 0"); // The clock is set back from one question to the next.
        _ = client.Call(string.Join(' ', ScriptGenerator.Exchange)); // As before the last look into both databases.
        foreach (var operation in last)
        {
            var command = operation.Request.Commands[0];
            var expected = Comparable(command[0], ReplyText.Of(operation.Reply!));
            if (!Answers(expected, operation, server, client, out var reply))
            {
                return $"After the journal {string.Join(' ', command)} answers {reply}, and not {expected}:\n"
                    + string.Join('\n', AofText.CommandsOf(told));
            }
        }

        return null;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_hasEnded)
        {
            _hasEnded = true;
            _log.Dispose();
            _journal.Dispose();
        }
    }

    /// <summary>Whether the other server answers the same at some time between a request and its reply: what expires
    /// meanwhile may be there, or not.</summary>
    private static bool Answers(
        string expected, Operation operation, TurnServer server, TurnClient client, out string reply)
    {
        var command = operation.Request.Commands[0];
        var atMs = operation.InvokedMs - 1; // Its clock goes on while it answers.
        do
        {
            server.Clock.AdvanceMs((int)(atMs - server.Clock.NowMs));
            reply = Comparable(command[0], client.Call(string.Join(' ', command)).Single());
        }
        while (reply != expected && ++atMs <= operation.ReturnedMs);
        return reply == expected;
    }

    private static string Comparable(string verb, string reply)
        => reply.StartsWith('-') ? reply.Split(' ')[0]
            : verb is "SMEMBERS" or "HGETALL" ? string.Join(' ', reply.Trim('[', ']').Split(' ').Order())
            : reply;
}
