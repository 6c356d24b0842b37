using System.Globalization;

namespace Strata.Tests.Simulation.Streams;

/// <summary>What XREAD or XREADGROUP asks for.</summary>
internal sealed record StreamReadRequest
{
    /// <summary>The group; null where there is none.</summary>
    public string? Group { get; private init; }

    public string Consumer { get; private init; } = "";

    /// <summary>The most entries of each stream.</summary>
    public int Count { get; private init; } = int.MaxValue;

    /// <summary>How long it waits, milliseconds, 0 for ever; null where it does not.</summary>
    public int? BlockMs { get; private init; }

    /// <summary>Whether what is given does not become pending.</summary>
    public bool IsAcknowledged { get; private init; }

    public IReadOnlyList<string> Keys { get; private init; } = [];

    /// <summary>An id for each key.</summary>
    public IReadOnlyList<string> Ids { get; private init; } = [];

    /// <summary>Each key with its id.</summary>
    public IEnumerable<(string Key, string Id)> Streams => Keys.Zip(Ids);

    /// <summary>The request of a command's words.</summary>
    public static StreamReadRequest Of(string[] command)
    {
        var at = Array.IndexOf(command, "STREAMS");
        var group = Array.IndexOf(command, "GROUP", 0, at);
        var names = command[(at + 1)..];
        return new StreamReadRequest
        {
            Group = group < 0 ? null : command[group + 1],
            Consumer = group < 0 ? "" : command[group + 2],
            Count = Option("COUNT") ?? int.MaxValue,
            BlockMs = Option("BLOCK"),
            IsAcknowledged = Array.IndexOf(command, "NOACK", 0, at) >= 0,
            Keys = names[..(names.Length / 2)],
            Ids = names[(names.Length / 2)..],
        };

        int? Option(string name) => Array.IndexOf(command, name, 0, at) is >= 0 and var option
            ? int.Parse(command[option + 1], CultureInfo.InvariantCulture)
            : null;
    }

    /// <summary>The words of the same command, that does not wait.</summary>
    public static string[] WithoutWait(string[] command)
    {
        var block = Array.IndexOf(command, "BLOCK");
        return [.. command[..block], .. command[(block + 2)..]];
    }
}
