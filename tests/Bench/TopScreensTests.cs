using NUnit.Framework;
using Strata.Bench.Top;

namespace Strata.Tests.Bench;

/// <summary>Where the panels of strata-bench top stand.</summary>
internal sealed class TopScreensTests
{
    [TestCase(80, 24)]
    [TestCase(120, 30)]
    [TestCase(200, 60)]
    [TestCase(400, 100)]
    public void Each_panel_stands_once_in_order_where_it_has_room(int width, int height)
    {
        var lines = Enum.GetValues<TopPanel>().ToDictionary(static panel => panel, static panel => 3 + (int)panel);
        var columns = TopScreens.ColumnsOf(width);
        var screens = TopScreens.Deal(lines.Select(static pair => (pair.Key, pair.Value)), columns, height);
        var dealt = screens.SelectMany(static screen => screen).ToList();
        Assert.That(dealt.SelectMany(static column => column), Is.EqualTo(Enum.GetValues<TopPanel>()));
        Assert.That(dealt, Has.None.Empty);
        Assert.That(screens.Select(static screen => screen.Count), Is.All.InRange(1, columns));
        foreach (var column in dealt)
        {
            Assert.That(column.Sum(panel => lines[panel]) + column.Count - 1, Is.AtMost(height));
        }
    }

    [TestCase(10, ExpectedResult = 1)]
    [TestCase(80, ExpectedResult = 1)]
    [TestCase(160, ExpectedResult = 1)]
    [TestCase(161, ExpectedResult = 2)]
    [TestCase(250, ExpectedResult = 3)]
    public int A_column_is_as_broad_as_a_small_terminal(int width) => TopScreens.ColumnsOf(width);

    /// <summary>What is higher than the terminal is cut there, and takes no other with it.</summary>
    [Test]
    public void A_panel_that_is_too_high_stands_alone()
    {
        var screens = TopScreens.Deal(
            [(TopPanel.Figures, 5), (TopPanel.Shards, 50), (TopPanel.Curve, 5)], columns: 1, height: 20);
        Assert.That(screens, Is.EqualTo(new List<List<List<TopPanel>>>
        {
            new() { new() { TopPanel.Figures } },
            new() { new() { TopPanel.Shards } },
            new() { new() { TopPanel.Curve } },
        }));
    }
}
