using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>What a client asks for at once: a command, or the commands of a transaction or of a script.</summary>
/// <param name="Commands">The command, or those between MULTI and EXEC, or of the script.</param>
/// <param name="IsTransaction">Whether MULTI and EXEC stand around them.</param>
internal sealed record SimulatedRequest(IReadOnlyList<string[]> Commands, bool IsTransaction)
{
    /// <summary>Stands in front of a time in milliseconds that counts from when the request is sent.</summary>
    public const string FromNow = "@";

    /// <summary>The script that executes them; null where none does.</summary>
    public SimulatedScript? Script { get; init; }

    /// <summary>Whether the reply is made of those of the commands.</summary>
    public bool IsOfSeveral => IsTransaction || Script != null;

    /// <summary>Replies that come; the last is the request's.</summary>
    public int Replies => IsTransaction ? Commands.Count + 2 : 1;

    /// <summary>The time that a command names, milliseconds since 1970; null when it names none.</summary>
    public static long? DeadlineIn(string[] command)
    {
        var text = command[0] switch
        {
            "SET" when command.Length > 3 => command[4],
            "GETEX" => command[3],
            "PEXPIREAT" or "HPEXPIREAT" => command[2],
            _ => null,
        };
        return text == null ? null : long.Parse(text, CultureInfo.InvariantCulture);
    }

    /// <summary>A single command.</summary>
    public static SimulatedRequest Of(params string[] command) => new([command], IsTransaction: false);

    /// <summary>The request as it is sent at a time, milliseconds since 1970.</summary>
    public SimulatedRequest At(long nowMs)
        => this with { Commands = [.. Commands.Select(command => command.Select(word => At(word, nowMs)).ToArray())] };

    /// <summary>The bytes on the wire.</summary>
    public byte[] Encode()
    {
        IEnumerable<string[]> all = IsTransaction ? [["MULTI"], .. Commands, ["EXEC"]]
            : Script != null ? [Script.Call(Commands)]
            : Commands;
        return [.. all.SelectMany(command => RespCommand.Of(command).Encode())];
    }

    /// <inheritdoc/>
    public override string ToString()
    {
        var commands = string.Join("; ", Commands.Select(command => string.Join(' ', command.Select(Shorten))));
        return IsTransaction ? $"MULTI; {commands}; EXEC"
            : Script != null ? $"EVAL {Script.Body[^10..]} ({string.Join(' ', Script.Keys)}) {commands}"
            : commands;
    }

    private static string At(string word, long nowMs)
        => word.StartsWith(FromNow, StringComparison.Ordinal)
            ? (nowMs + int.Parse(word.AsSpan(FromNow.Length), CultureInfo.InvariantCulture))
                .ToString(CultureInfo.InvariantCulture)
            : word;

    private static string Shorten(string text) => text.Length <= 24 ? text : $"{text[..16]}...({text.Length})";
}
