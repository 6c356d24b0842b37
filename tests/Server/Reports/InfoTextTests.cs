using NUnit.Framework;
using Strata.Server.Reports;

namespace Strata.Tests.Server.Reports;

[TestFixture]
internal sealed class InfoTextTests
{
    private static readonly string[] s_clusterAndCpu = ["cpu", "cluster"];

    [Test]
    public void Sections_are_separated_by_an_empty_line()
    {
        var text = new InfoText();
        text.Section("First");
        text.Field("a", 1);
        text.Section("Second");
        text.Field("b", 1.5, 2);
        text.Field("c", "two\r\nlines");
        text.Bytes("d", 1536);

        Assert.That(text.ToString(), Is.EqualTo(
            "# First\r\na:1\r\n\r\n# Second\r\nb:1.50\r\nc:two lines\r\nd:1536\r\nd_human:1.50K\r\n"));
    }

    [TestCase(0, "0B")]
    [TestCase(1023, "1023B")]
    [TestCase(1024, "1.00K")]
    [TestCase(894_84 * 1024 / 100, "894.84K")]
    [TestCase(25276514304, "23.54G")]
    [TestCase(long.MaxValue, "8.00E")]
    public void Bytes_carry_a_unit(long bytes, string expected)
        => Assert.That(InfoText.Human(bytes), Is.EqualTo(expected));

    [TestCase(50, "50")]
    [TestCase(99.9, "99.9")]
    [TestCase(99.9999, "99.9999")]
    public void Percentiles_have_no_needless_zeros(double percentile, string expected)
        => Assert.That(InfoText.Percentile(percentile), Is.EqualTo(expected));

    [Test]
    public void Words_choose_sections()
    {
        var byDefault = InfoSections.All.Where(section => section.IsDefault).ToList();

        Assert.That(InfoSections.Select([]), Is.EqualTo(byDefault));
        Assert.That(InfoSections.Select(["Default"]), Is.EqualTo(byDefault));
        var all = InfoSections.All.Where(section => section.Name != "debug").ToList();
        Assert.That(InfoSections.Select(["ALL"]), Is.EqualTo(all));
        Assert.That(InfoSections.Select(["everything"]), Is.EqualTo(all));
        Assert.That(InfoSections.Select(["all", "debug"]), Is.EqualTo(InfoSections.All));
        Assert.That(InfoSections.Select(["nosuch"]), Is.Empty);
        Assert.That(
            InfoSections.Select(["Cluster", "cpu", "cpu"]).Select(section => section.Name),
            Is.EqualTo(s_clusterAndCpu));
        Assert.That(InfoSections.Select(["default", "shards"]), Has.Count.EqualTo(byDefault.Count + 1));
    }
}
