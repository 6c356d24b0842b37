using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Publishing, with no subscriber or the client itself as the only one, and what PUBSUB tells. A step leaves
/// no subscription.</summary>
internal sealed class PubSubFamily : ICommandFamily
{
    private static readonly string[] s_channels = ["news", "n", "", "a b", "{tag}1", "*", "n?ws", "[n]ews"];
    private static readonly string[] s_patterns = ["n*", "*", "n?ws", "[mn]ews", "\\*", "", "[", "nothing"];

    public string Name => "pubsub";

    public bool MayBeRefused => false;

    public OracleStep Next(CommandPool pool)
        => pool.Chance(0.6) ? OracleStep.Single(CommandNoise.Apply(pool, Lone(pool))) : Subscribed(pool);

    private static string[] Lone(CommandPool pool) => pool.Below(8) switch
    {
        0 or 1 => ["PUBLISH", Channel(pool), pool.Value()],
        2 => ["SPUBLISH", Channel(pool), pool.Value()],
        3 => ["PUBSUB", pool.MixedCase("CHANNELS"), .. pool.Chance(0.5) ? [Pattern(pool)] : Array.Empty<string>()],
        4 => ["PUBSUB", pool.MixedCase("NUMSUB"), .. pool.Chance(0.8) ? pool.Several(3, () => Channel(pool)) : []],
        5 => ["PUBSUB", pool.Pick("NUMPAT", "HELP", "NOSUCH")],
        6 => ["PUBSUB", "SHARDCHANNELS", .. pool.Chance(0.5) ? [Pattern(pool)] : Array.Empty<string>()],
        _ => ["PUBSUB", "SHARDNUMSUB", .. pool.Chance(0.8) ? pool.Several(3, () => Channel(pool)) : []],
    };

    /// <summary>One channel to a command, so that each command has one reply.</summary>
    private static OracleStep Subscribed(CommandPool pool)
    {
        var verb = pool.Pick("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE");
        string[] names = [.. pool.Several(3, () => verb[0] == 'P' ? Pattern(pool) : Channel(pool))];
        var commands = names.Select(name => new[] { pool.MixedCase(verb), name }).ToList();
        commands.Add(pool.Pick<string[]>(
            ["PUBSUB", "NUMPAT"], ["PUBSUB", "NUMSUB", .. names], ["PUBSUB", "SHARDNUMSUB", .. names],
            ["PING"], ["PING", "hello"], ["GET", pool.Key()], ["MULTI", "x"], ["SUBSCRIBE"], ["UNSUBSCRIBE", "other"]));
        commands.AddRange(names.Select(name => new[] { Opposite(verb), name }));
        return new OracleStep(
            StepKind.Commands, [.. commands.Select(words => RespCommand.Of(words))], replyCount: commands.Count);
    }

    private static string Opposite(string verb) => verb switch
    {
        "SUBSCRIBE" => "UNSUBSCRIBE",
        "PSUBSCRIBE" => "PUNSUBSCRIBE",
        _ => "SUNSUBSCRIBE",
    };

    private static string Channel(CommandPool pool) => pool.Pick(s_channels);

    private static string Pattern(CommandPool pool) => pool.Pick(s_patterns);
}
