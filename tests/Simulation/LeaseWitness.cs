using System.Globalization;
using System.Text;
using Strata.Server;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Tests.Simulation;

/// <summary>
/// Sees that nobody waits for the lease of a shard that he does not need. What is needed follows from the commands as
/// they were sent: the shards of their keys, or all; of a script the shards of the keys that it declares, and the right
/// to go beyond, since that is what it may come to; or all where it declares none, and where the server may not know it
/// yet or know it to go beyond: its first execution was not answered, or one of those sent by now uses other keys. In
/// its midst it is what the command needs that it calls.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="history">What clients have sent by now.</param>
/// <param name="fail">Is told what is wrong.</param>
internal sealed class LeaseWitness(StrataServer server, IReadOnlyList<Operation> history, Action<string> fail)
{
    private const int FirstKey = 3;

    private readonly ShardMap _shards = server.Context.Shards;

    /// <summary>Waits of scripts that may not wait for all.</summary>
    public int NarrowWaits { get; private set; }

    /// <summary>A worker's command begins to wait for a lease.</summary>
    public void OnAwaited(int worker, int lease)
    {
        var context = server.Workers[worker].Context;
        if (context.DatabaseVersion != server.Context.Databases.Version)
        {
            return; // Its keys belong to other shards by now, and it will find that out.
        }

        var words = WordsOf(context.Request);
        if (!IsNeeded(context, words, lease))
        {
            fail($"Worker {worker} waits for lease {lease}, which is not needed by {string.Join(' ', words)}");
        }
    }

    private bool IsNeeded(CommandContext context, string[] words, int lease)
        => context.IsInTransaction ? IsOfCommand(context, words, lease)
            : context.Row.Name switch
            {
                "eval" => IsOfScript(context, words, lease),
                "exec" => CommandsOf(context).Concat(Watched()).Any(command => IsOfCommand(context, command, lease)),
                _ => IsOfCommand(context, words, lease),
            };

    private bool IsOfScript(CommandContext context, string[] words, int lease)
    {
        var declared = words[FirstKey..(FirstKey + int.Parse(words[2], CultureInfo.InvariantCulture))];
        var calls = history.Where(operation => operation.Request.Script?.Body == words[1]).ToList();
        if (declared.Length == 0)
        {
            // What was sent may be executed yet, or was already and is not answered: until then, and since, it is
            // known to keep to its keys.
            return lease < _shards.Count || (declared.Length > 0 && calls.Count > 1);
        }

        if (!calls.Exists(operation => operation.Reply is { IsError: false })
            || calls.Exists(operation => HasReachedOut(operation.Request)))
        {
            return true; // All, or, as it is executed before the server learns that, those it declares.
        }

        NarrowWaits++;
        return lease == _shards.Count || IsOfKeys(context, declared, lease);
    }

    private static bool HasReachedOut(SimulatedRequest request)
        => request.Commands.Any(command => NeedsAll(command) || KeysOf(command).Except(request.Script!.Keys).Any());

    private bool IsOfCommand(CommandContext context, string[] words, int lease)
        => lease < _shards.Count && (NeedsAll(words) || IsOfKeys(context, KeysOf(words), lease));

    private static bool NeedsAll(string[] words) => words[0] is "FLUSHALL" or "SWAPDB";

    private static IEnumerable<string> KeysOf(string[] words) => words.Skip(1).Where(
        word => ScriptGenerator.IsKey(word) || SimulatedTracker.IsOwnKey(word));

    private unsafe bool IsOfKeys(CommandContext context, IEnumerable<string> keys, int lease)
        => keys.Any(key =>
        {
            fixed (byte* pointer = Encoding.ASCII.GetBytes(key))
            {
                return _shards.NumberOf(new Key(pointer, key.Length, context.Database).Hash) == lease;
            }
        });

    private static List<string[]> CommandsOf(CommandContext context)
    {
        var queue = context.Session.Transaction.Queue!;
        var commands = new List<string[]>();
        for (var i = 0; i < queue.Count; i++)
        {
            commands.Add(WordsOf(queue.RequestOf(queue[i])));
        }

        return commands;
    }

    /// <summary>What anybody has watched.</summary>
    private IEnumerable<string[]> Watched()
        => history.Select(operation => operation.Request.Commands[0]).Where(command => command[0] == "WATCH");

    private static string[] WordsOf(in Request request)
    {
        var words = new string[request.Count];
        for (var i = 0; i < words.Length; i++)
        {
            words[i] = Encoding.Latin1.GetString(request[i]);
        }

        return words;
    }
}
