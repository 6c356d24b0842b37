using Strata.Server.Lifecycle;
using Strata.Server.Options;

namespace Strata.Server.Commands.Model;

/// <summary>
/// By which names commands are found. Clients and their scripts say those that <c>rename-command</c> leaves; what the
/// server repeats or tells of itself goes by the commands' own.
/// </summary>
public sealed class CommandNames
{
    private CommandNames(
        CommandTable all, CommandTable ofClients, CommandTable ofServer, IReadOnlySet<string> absent)
    {
        All = all;
        OfClients = ofClients;
        OfServer = ofServer;
        Absent = absent;
    }

    /// <summary>Every command by its own name: what counters and users' rules speak of.</summary>
    public CommandTable All { get; }

    /// <summary>What clients and scripts may say.</summary>
    public CommandTable OfClients { get; }

    /// <summary>What stands in the journal: the commands' own names, and those new ones that are no command's own, for
    /// files of a Redis with the same lines, which has there what its clients said.</summary>
    public CommandTable OfServer { get; }

    /// <summary>Full names of commands of Redis that the server has not, in lower case.</summary>
    public IReadOnlySet<string> Absent { get; }

    /// <summary>The names that lines leave, each of which sees what those before it have done.</summary>
    /// <param name="commands">The server's commands.</param>
    /// <param name="absent">Full names of commands of Redis that it has not, in lower case; lines may name them.
    /// </param>
    /// <param name="lines">The lines.</param>
    /// <exception cref="StartupException">A line names no command, or a name that is taken.</exception>
    public static CommandNames Of(
        CommandTable commands, IReadOnlySet<string> absent, IReadOnlyList<RenameLine> lines)
    {
        if (lines.Count == 0)
        {
            return new CommandNames(commands, commands, commands, absent);
        }

        var names = commands.Rows.ToDictionary(static row => row.Name, static CommandRow? (row) => row);
        foreach (var name in absent.Where(static name => !name.Contains('|')))
        {
            names.TryAdd(name, null);
        }

        foreach (var line in lines)
        {
            if (!names.Remove(ConfigurationText.ToLower(line.From), out var row))
            {
                throw Wrong(line, "No such command in rename-command");
            }

            if (line.To.Length > 0 && !names.TryAdd(ConfigurationText.ToLower(line.To), row))
            {
                throw Wrong(line, "Target command name already exists");
            }
        }

        var left = names.Where(static name => name.Value != null).ToDictionary(
            static name => name.Key, static name => name.Value!);
        var ofServer = commands.Rows.ToDictionary(static row => row.Name);
        foreach (var (name, row) in left)
        {
            ofServer.TryAdd(name, row);
        }

        return new CommandNames(commands, new CommandTable(left), new CommandTable(ofServer), absent);
    }

    private static StartupException Wrong(RenameLine line, string reason)
        => new(ExitCode.Configuration, $"{line.Place}: {reason}");
}
