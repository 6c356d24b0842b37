using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// One step of an oracle sequence: commands that are sent together, and the number of replies they have.
/// Most steps are one command with one reply; muted commands (CLIENT REPLY OFF) and empty inline lines have none.
/// </summary>
internal sealed class OracleStep
{
    public OracleStep(StepKind kind, IReadOnlyList<RespCommand> commands, int replyCount)
    {
        Kind = kind;
        Commands = commands;
        ReplyCount = replyCount;
    }

    public StepKind Kind { get; }

    public IReadOnlyList<RespCommand> Commands { get; }

    public int ReplyCount { get; }

    /// <summary>Whether the burst that this step is sent in ends with it. In lock step every step ends one.</summary>
    public bool EndsBurst { get; init; } = true;

    public static OracleStep Single(RespCommand command) => new(StepKind.Commands, [command], replyCount: 1);

    public static OracleStep Single(params string[] arguments) => Single(RespCommand.Of(arguments));

    public OracleStep WithEndsBurst(bool endsBurst) =>
        new(Kind, Commands, ReplyCount) { EndsBurst = endsBurst };

    public OracleStep WithCommands(IReadOnlyList<RespCommand> commands) =>
        new(Kind, commands, ReplyCount) { EndsBurst = EndsBurst };

    public override string ToString() => Kind switch
    {
        StepKind.FullScan => $"{Commands[0].ToCliLine()}   (repeated with the cursor returned until it is 0)",
        StepKind.KeyCount =>
            $"{Commands[0].ToCliLine()}   (repeated likewise)\n{Commands[1].ToCliLine()}",
        StepKind.RandomKey => "RANDOMKEY   (then EXISTS of the key returned)",
        _ => string.Join('\n', Commands.Select(command => command.ToCliLine())),
    };
}
