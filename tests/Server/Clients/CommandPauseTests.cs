using NUnit.Framework;
using Strata.Server.Clients;
using Strata.Server.Commands;
using Strata.Server.Commands.Model;

namespace Strata.Tests.Server.Clients;

/// <summary>Which commands a pause holds, and what becomes of two pauses.</summary>
public sealed class CommandPauseTests
{
    private static readonly CommandRow s_get = CommandList.Table.Find("get"u8)!;
    private static readonly CommandRow s_set = CommandList.Table.Find("set"u8)!;

    [TestCase(true, 999, ExpectedResult = "set")]
    [TestCase(false, 999, ExpectedResult = "get set")]
    [TestCase(false, 1000, ExpectedResult = "")]
    public string A_pause_holds_commands_until_its_end(bool onlyWrites, long nowMs)
    {
        var pause = new CommandPause(onlyWrites, 1000);
        var held = new[] { s_get, s_set }.Where(row => pause.Holds(row.Flags, nowMs));
        return string.Join(' ', held.Select(row => row.Name));
    }

    [TestCase(true, 500, true, 900, ExpectedResult = "writes until 900")]
    [TestCase(true, 900, false, 500, ExpectedResult = "all until 900")]
    [TestCase(false, 500, true, 900, ExpectedResult = "all until 900")]
    [TestCase(false, 50, true, 900, ExpectedResult = "writes until 900", Description = "the first is over")]
    public string The_stricter_and_the_longer_of_two_pauses_hold(
        bool firstOnlyWrites, long firstUntilMs, bool secondOnlyWrites, long secondUntilMs)
    {
        var first = new CommandPause(firstOnlyWrites, firstUntilMs);
        var both = new CommandPause(secondOnlyWrites, secondUntilMs).Over(first, nowMs: 100);
        return $"{(both.OnlyWrites ? "writes" : "all")} until {both.UntilMs}";
    }
}
