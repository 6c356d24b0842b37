using NUnit.Framework;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Commands.Streams;

/// <summary>What groups have read, and ranges of ids, as by Redis 7.0.15.</summary>
internal sealed class GroupProgressTests
{
    private const string Max = "18446744073709551615-18446744073709551615";
    private const string Three = "XADD s 1-0 f v|XADD s 2-0 f v|XADD s 3-0 f v|";
    private const string Read = "XREADGROUP GROUP g c STREAMS s >";
    private const string ReadOne = "XREADGROUP GROUP g c COUNT 1 STREAMS s >";

    [TestCase("XGROUP CREATE s g 0 MKSTREAM", "nil", ":0")]
    [TestCase(Three + "XGROUP CREATE s g 0", "nil", ":3")]
    [TestCase(Three + "XGROUP CREATE s g 0-1", "nil", ":3")]
    [TestCase(Three + "XGROUP CREATE s g 1-0", "nil", ":2")]
    [TestCase(Three + "XGROUP CREATE s g 2-0", "nil", "nil")]
    [TestCase(Three + "XGROUP CREATE s g 3-0", "nil", ":0")]
    [TestCase(Three + "XGROUP CREATE s g " + Max, "nil", "nil")]
    [TestCase(Three + "XGROUP CREATE s g 2-0 ENTRIESREAD 2", ":2", ":1")]
    [TestCase(Three + "XGROUP CREATE s g 2-0 ENTRIESREAD 7", ":7", ":-4")]
    [TestCase(Three + "XDEL s 2-0|XGROUP CREATE s g 0", "nil", "nil")]
    [TestCase(Three + "XDEL s 2-0|XGROUP CREATE s g 1-0 ENTRIESREAD 1", ":1", "nil")]
    [TestCase(Three + "XDEL s 2-0|XGROUP CREATE s g 2-5 ENTRIESREAD 2", ":2", ":1")]
    [TestCase(Three + "XDEL s 1-0|XGROUP CREATE s g 0", "nil", ":2")]
    [TestCase(Three + "XTRIM s MAXLEN 1|XGROUP CREATE s g 0", "nil", ":1")]
    [TestCase(Three + "XTRIM s MAXLEN 1|XGROUP CREATE s g 3-0", "nil", ":0")]
    [TestCase(Three + "XDEL s 1-0 2-0 3-0|XGROUP CREATE s g 0", "nil", ":0")]
    [TestCase(Three + "XTRIM s MAXLEN 0|XGROUP CREATE s g 0", "nil", ":0")]
    [TestCase("XADD s 1-0 f v|XSETID s 9-0|XGROUP CREATE s g 5-0", "nil", "nil")]
    [TestCase("XADD s 1-0 f v|XSETID s 9-0|XGROUP CREATE s g 9-0", "nil", ":0")]
    [TestCase(Three + "XGROUP CREATE s g 0|" + ReadOne + "|" + ReadOne, ":2", ":1")]
    [TestCase(Three + "XGROUP CREATE s g 1-0|" + ReadOne, "nil", "nil")]
    [TestCase(Three + "XGROUP CREATE s g 1-0|" + Read, ":3", ":0")]
    [TestCase(Three + "XGROUP CREATE s g 0|XDEL s 2-0|" + ReadOne, "nil", "nil")]
    [TestCase(Three + "XGROUP CREATE s g 0|XDEL s 2-0|" + Read, ":3", ":0")]
    [TestCase("XADD s " + Max + " f v|XGROUP CREATE s g 0|" + Read + "|" + Read, ":1", ":0")]
    [TestCase("XADD s " + Max + " f v|XDEL s " + Max + "|XGROUP CREATE s g " + Max, "nil", ":0")]
    public void What_a_group_has_read_is_told_where_it_is_known(string commands, string read, string lag)
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        Assert.That(client.Call(commands.Split('|')), Has.None.StartsWith("-"));
        Assert.That(
            client.Call("XINFO GROUPS s").Single(), Does.EndWith($" $entries-read {read} $lag {lag}]]"));
    }

    [TestCase("- +", "1-0 2-0 3-0")]
    [TestCase("+ -", "")]
    [TestCase("1 1", "1-0")]
    [TestCase("(1-0 3", "2-0 3-0")]
    [TestCase("1 (3", "1-0 2-0 3-0")]
    [TestCase("1 (3-0", "1-0 2-0")]
    [TestCase("(2 2", "")]
    [TestCase("2-18446744073709551615 +", "3-0")]
    [TestCase("(1-18446744073709551615 2", "2-0")]
    [TestCase("0-0 " + Max, "1-0 2-0 3-0")]
    [TestCase("( 3", "-ERR Invalid stream ID specified as stream command argument")]
    [TestCase("- (-", "-ERR Invalid stream ID specified as stream command argument")]
    [TestCase("1- +", "-ERR Invalid stream ID specified as stream command argument")]
    [TestCase("(" + Max + " +", "-ERR invalid start ID for the interval")]
    [TestCase("- (0-0", "-ERR invalid end ID for the interval")]
    public void Ranges_have_the_ends_that_were_given(string ends, string found)
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        _ = client.Call(Three.TrimEnd('|').Split('|'));
        var entries = found.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id => $"[${id} [$f $v]]");
        Assert.That(
            client.Call($"XRANGE s {ends}").Single(),
            Is.EqualTo(found.StartsWith('-') ? found : $"[{string.Join(' ', entries)}]"));
    }
}
