using Strata.Server.Clients.Access;
using Strata.Server.Commands;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Server.Resp;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Clients.Access;

/// <summary>Users made of rules, and commands to ask them about.</summary>
internal static class RulesOfTests
{
    public static CommandVocabulary Vocabulary { get; } = new(CommandList.Table, MissingCommands.Names);

    /// <summary>A user of rules that are all right.</summary>
    public static AccessUser User(params string[] rules)
        => TryMake(rules, out var problem) ?? throw new ArgumentException(problem.ToString());

    /// <summary>A user of rules; null when one is wrong.</summary>
    public static AccessUser? TryMake(string[] rules, out RuleProblem problem)
    {
        problem = RuleProblem.Syntax;
        using var merged = new WordBuffer();
        if (!TryMerge(rules, merged, out _))
        {
            return null;
        }

        using var draft = new UserDraft(Vocabulary, allowsAllChannels: false);
        for (var i = 0; i < merged.Count; i++)
        {
            problem = draft.Apply(merged.TextAt(i));
            if (problem != RuleProblem.None)
            {
                return null;
            }
        }

        return new AccessUser("u", draft);
    }

    /// <summary>Puts the words of selectors together.</summary>
    public static bool TryMerge(string[] words, WordBuffer merged, out int unmatched)
    {
        using var given = new WordBuffer();
        foreach (var word in words)
        {
            given.Add(ConfigurationText.ToBytes(word));
        }

        return UserRules.TryMerge(given, first: 0, merged, out unmatched);
    }

    /// <summary>What a user is refused in a command, given as words with spaces between.</summary>
    public static AccessDenial Check(AccessUser user, string command) => With(command, (row, request) =>
    {
        var denial = user.Check(row, request);
        return !row.JoinsRuns(request.Count) || user.AllowsOfOneKey(row, request) == denial.IsNone
            ? denial
            : throw new InvalidOperationException($"{command}: the short way says another thing");
    });

    /// <summary>The arguments of a command that stay out of MONITOR and SLOWLOG.</summary>
    public static string SecretsOf(string command) => With(command, (row, request) => string.Join(
        ' ', command.Split(' ').Where((_, index) => row.IsSecret?.Invoke(request, index) == true)));

    private static unsafe T With<T>(string command, Func<CommandRow, Request, T> ask)
    {
        var bytes = RespCommand.Of(command.Split(' ')).Encode();
        var state = default(ParseState);
        using var arguments = new ArgumentBuffer(new MemoryBudget());
        fixed (byte* start = bytes)
        {
            var limits = new RespLimits(1024, 1 << 20, 1 << 20);
            var status = RespParser.Parse(start, bytes.Length, ref state, arguments, limits);
            var request = new Request(start, arguments.At(0), arguments.Count);
            return status == ParseStatus.Complete && CommandList.Table.FindFor(request) is { } row
                ? ask(row, request)
                : throw new ArgumentException(command);
        }
    }
}
