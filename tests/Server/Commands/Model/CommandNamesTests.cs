using System.Text;
using NUnit.Framework;
using Strata.Server.Commands;
using Strata.Server.Commands.Documentation;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Tests.Server.Commands.Model;

/// <summary>Names of commands as lines of rename-command leave them.</summary>
internal sealed class CommandNamesTests
{
    [Test]
    public void All_may_be_taken_away()
    {
        var names = Of([.. CommandList.Table.Rows.Select(static row => (row.Name, ""))]);
        Assert.That(names.OfClients.Rows, Is.Empty);
        Assert.That(names.OfClients.Find("get"u8), Is.Null);
        Assert.That(names.OfServer.Find("GET"u8)?.Name, Is.EqualTo("get"));
    }

    /// <summary>Short and long, of any bytes; only ASCII's letters have two cases.</summary>
    [TestCase("x", "X")]
    [TestCase("fetch", "FeTcH")]
    [TestCase("exactly 16 bytes", "EXACTLY 16 BYTES")]
    [TestCase("a name that is longer than the two ends", "A name that is longer THAN the two ends")]
    [TestCase("\u00e9\u00ff\0 and quite a few more bytes", "\u00e9\u00ff\0 and QUITE a few more bytes")]
    public void A_name_may_be_any(string name, string spelled)
    {
        var names = Of([("get", name)]);
        Assert.That(names.OfClients.Find(Encoding.Latin1.GetBytes(spelled))?.Name, Is.EqualTo("get"));
        Assert.That(names.OfClients.Find("get"u8), Is.Null);
        Assert.That(names.All.Find("get"u8), Is.Not.Null);
        var other = Encoding.Latin1.GetBytes(spelled);
        other[^1] ^= 1;
        Assert.That(names.OfClients.Find(other), Is.Null);
    }

    [Test]
    public void The_server_keeps_own_names_before_new_ones()
    {
        var names = Of([("set", "write"), ("get", "set")]);
        Assert.That(names.OfClients.Find("set"u8)?.Name, Is.EqualTo("get"));
        Assert.That(names.OfServer.Find("set"u8)?.Name, Is.EqualTo("set"));
        Assert.That(names.OfServer.Find("write"u8)?.Name, Is.EqualTo("set"));
    }

    private static CommandNames Of((string From, string To)[] lines)
        => CommandNames.Of(
            CommandList.Table,
            MissingCommands.Names,
            [.. lines.Select(static line => new RenameLine(line.From, line.To, "a line"))]);
}
