using CommandLine;
using Strata.Bench.Load;

namespace Strata.Bench.Top;

/// <summary>The flags of <c>strata-bench top</c>.</summary>
[Verb("top", HelpText = "Show what a server is doing, once a second, until q or Ctrl-C. What does not fit the terminal "
    + "is on further screens: tab, the arrows or 1 to 9 go there, m and c choose what hot keys and clients are told "
    + "by, p pauses.")]
[Example("--port 6379 --once")]
public sealed class TopOptions : TargetOptions
{
    [Option("interval", Default = 1.0, HelpText = "Seconds between two looks.")]
    public double IntervalSeconds { get; set; } = 1;

    [Option("once", HelpText = "Print what happens in one interval, and end.")]
    public bool Once { get; set; }

    [Option("panels", Separator = ',', HelpText = "Which panels, in which order: figures, findings, memory, commands, "
        + "slow, hotkeys, prefixes, bigkeys, clients, curve, shards; all, if not said.")]
    public IEnumerable<TopPanel> Panels { get; set; } = [];

    [Option("hotkeys-by", Default = HotKeyOrder.Reads, HelpText = "What hot keys are told by: reads, writes or bytes.")]
    public HotKeyOrder HotKeysBy { get; set; }

    [Option("clients-by", Default = ClientOrder.Owner,
        HelpText = "What clients are put together by: owner (all of it), name, address or user.")]
    public ClientOrder ClientsBy { get; set; }
}
