using System.Numerics;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Clients.Access;

/// <summary>The names of commands that rules may have: those of the server, and those of Redis that it has not, which
/// nobody can execute, so that the rules of a Redis are good here, too.</summary>
internal sealed class CommandVocabulary
{
    private readonly CommandTable _commands;
    private readonly IReadOnlySet<string> _absent;
    private readonly int _count;

    /// <summary>The names.</summary>
    /// <param name="commands">The server's commands.</param>
    /// <param name="absent">Full names of those that it has not, in lower case.</param>
    public CommandVocabulary(CommandTable commands, IReadOnlySet<string> absent)
    {
        _commands = commands;
        _absent = absent;
        _count = Count(commands);
        Words = (commands.IndexEnd + 63) / 64;
    }

    /// <summary>How many words have a bit for each command.</summary>
    public int Words { get; }

    /// <summary>The server's commands; subcommands are theirs.</summary>
    public IReadOnlyList<CommandRow> Commands => _commands.Rows;

    /// <summary>Finds a command, or a subcommand, whose name is behind the command's and a bar.</summary>
    /// <param name="name">The name, in any case.</param>
    /// <param name="row">The command; null where it is one that is not there.</param>
    public bool TryFind(string name, out CommandRow? row)
    {
        var parts = name.Split('|');
        row = parts.Length <= 2 ? _commands.FindByFullName(ConfigurationText.ToBytes(name)) : null;
        return row != null || _absent.Contains(ConfigurationText.ToLower(name));
    }

    /// <summary>Whether bits are those of all commands.</summary>
    public bool AreAll(ReadOnlySpan<ulong> bits)
    {
        var allowed = 0;
        foreach (var word in bits)
        {
            allowed += BitOperations.PopCount(word);
        }

        return allowed == _count;
    }

    private static int Count(CommandTable table)
        => table.Rows.Sum(row => 1 + (row.Subcommands == null ? 0 : Count(row.Subcommands)));
}
