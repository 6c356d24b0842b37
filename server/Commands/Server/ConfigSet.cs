using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Options.Keys;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>CONFIG SET parameter value [parameter value ...]</summary>
internal static class ConfigSet
{
    public static readonly CommandRow Row = new("set", -4,
        CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "2.0.0",
        BytesPerName = 64,
        Summary = "Changes configuration keys: all of the given ones, or none.",
        Differs = "Words of Redis's without effect take the one value that does not matter, and no other; bind takes "
            + "addresses, and of host names those that were looked up at start.",
        Complexity = "O(N) where N is the number of keys",
        Syntax = "parameter value [parameter value ...]",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        IsSecret = IsSecret,
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count % 2 != 0)
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        // Those behind a name that is unknown, or comes again, do not matter: it is the error.
        var pairs = new List<KeyValuePair<string, string>>();
        var names = new HashSet<ConfigurationName>();
        for (var (i, areGood) = (2, true); i < context.Count && areGood; i += 2)
        {
            pairs.Add(new(
                ConfigurationText.FromBytes(context.Argument(i)),
                ConfigurationText.FromBytes(context.Argument(i + 1))));
            areGood = ConfigurationTable.TryFindName(pairs[^1].Key, out var name) && names.Add(name);
        }

        var store = context.Server.Configuration;
        var mayChangeProtected = context.Session.Address.MayUse(store.Current.EnableProtectedConfigs);
        if (pairs.Exists(pair => ConfigurationTable.TryFind(pair.Key, out var key) && IsFollowed(key)))
        {
            var durability = context.Server.Durability;
            context.Session.AskWorkers(
                worker => worker.Number == 0 ? Set(store, pairs, mayChangeProtected) : "",
                goOn: _ => durability.IsToBeAwaited,
                (reply, errors) => Answer(reply, errors[0]));
        }
        else
        {
            Answer(context.Reply, Set(store, pairs, mayChangeProtected));
        }
    }

    /// <summary>Whether the first worker follows a key, and must have done so before anything else is executed.
    /// </summary>
    private static bool IsFollowed(ConfigurationKey key) => key.IsListening || key == JournalKeys.AppendFsync;

    private static string Set(
        ConfigurationStore store, List<KeyValuePair<string, string>> pairs, bool mayChangeProtected)
        => store.TrySet(pairs, mayChangeProtected, out var error) ? "" : error;

    private static void Answer(ReplyWriter reply, string error)
    {
        if (error.Length == 0)
        {
            reply.Ok();
        }
        else
        {
            reply.Error($"ERR {error}");
        }
    }

    private static bool IsSecret(Request request, int index)
        => index > 2 && index % 2 != 0
            && ConfigurationTable.TryFindName(ConfigurationText.FromBytes(request[index - 1]), out var name)
            && name.Word.IsSensitive;
}
