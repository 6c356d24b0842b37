using Strata.Bench.Load;

namespace Strata.Bench.Top;

/// <summary>A report that only Strata has, and how often it may be asked for: no more often than the live page asks,
/// and what is looked up in the data then no more often than the server looks for the page.</summary>
/// <param name="client">The server.</param>
/// <param name="periodSeconds">The least time between two requests.</param>
internal sealed class TopReport(RespClient client, double periodSeconds)
{
    private double _askedAt = double.NegativeInfinity;
    private string[] _asked = [];

    /// <summary>What was answered last; null where nothing was, or the user may not ask.</summary>
    public RespNode? Reply { get; private set; }

    /// <summary>Why there is nothing; null where there is.</summary>
    public string? Refusal { get; private set; }

    /// <summary>Asks if it is time, or something else is asked for than last.</summary>
    /// <param name="nowSeconds">The time, of a clock that only goes forward.</param>
    /// <param name="command">The command.</param>
    /// <exception cref="BenchException">The server does not answer.</exception>
    public void Refresh(double nowSeconds, params string[] command)
    {
        if (nowSeconds - _askedAt < periodSeconds && _asked.SequenceEqual(command))
        {
            return;
        }

        (_askedAt, _asked) = (nowSeconds, command);
        try
        {
            (Reply, Refusal) = (client.CallNested(command), null);
        }
        catch (BenchException e) when (e.InnerException is null)
        {
            (Reply, Refusal) = (null, e.Message);
        }
    }

    /// <summary>What a reply that is a map has under a name: names and values in turn.</summary>
    public static RespNode? Field(RespNode map, string name)
    {
        for (var i = 0; i + 1 < map.Items.Count; i += 2)
        {
            if (map.Items[i].Text == name)
            {
                return map.Items[i + 1];
            }
        }

        return null;
    }

    /// <summary>A text of such a map; empty where it has none.</summary>
    public static string Text(RespNode map, string name) => Field(map, name)?.Text ?? "";

    /// <summary>A number of such a map; not a number where it has none.</summary>
    public static double Number(RespNode map, string name) => double.TryParse(
        Text(map, name), System.Globalization.CultureInfo.InvariantCulture, out var number) ? number : double.NaN;
}
