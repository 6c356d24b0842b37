using System.Globalization;
using Strata.Bench.Load;

namespace Strata.Bench.Top;

/// <summary>The reports of STRATA, as far as they are shown.</summary>
/// <param name="client">The server.</param>
internal sealed class TopReports(RespClient client)
{
    /// <summary>Entries of each that are shown.</summary>
    public const int Entries = 8;

    private const double PeriodSeconds = 2;

    // The server looks up what the sample's keys take in so many seconds where a page is open: who asks by command has
    // it looked up at once.
    private const double CensusPeriodSeconds = 7;

    private static readonly string s_count = Entries.ToString(CultureInfo.InvariantCulture);

    private readonly Dictionary<TopPanel, TopReport> _reports = new()
    {
        [TopPanel.HotKeys] = new TopReport(client, PeriodSeconds),
        [TopPanel.Clients] = new TopReport(client, PeriodSeconds),
        [TopPanel.Curve] = new TopReport(client, PeriodSeconds),
        [TopPanel.Prefixes] = new TopReport(client, CensusPeriodSeconds),
        [TopPanel.BigKeys] = new TopReport(client, CensusPeriodSeconds),
    };

    /// <summary>Whether a panel is made of such a report.</summary>
    public bool Has(TopPanel panel) => _reports.ContainsKey(panel);

    /// <summary>The report of a panel.</summary>
    public TopReport Of(TopPanel panel) => _reports[panel];

    /// <summary>Asks for what is shown, where it is time.</summary>
    /// <param name="nowSeconds">The time, of a clock that only goes forward.</param>
    /// <param name="shown">The panels that are shown.</param>
    /// <param name="hotKeysBy">What hot keys are told by.</param>
    /// <param name="clientsBy">What clients are put together by.</param>
    /// <exception cref="BenchException">The server does not answer.</exception>
    public void Refresh(
        double nowSeconds, IReadOnlyCollection<TopPanel> shown, HotKeyOrder hotKeysBy, ClientOrder clientsBy)
    {
        foreach (var panel in shown.Where(Has))
        {
            string[] command = panel switch
            {
                TopPanel.HotKeys => ["HOTKEYS", Word(hotKeysBy), "COUNT", s_count],
                TopPanel.Prefixes => ["PREFIXES", "COUNT", s_count],
                TopPanel.BigKeys => ["BIGKEYS", "COUNT", s_count],
                TopPanel.Curve => ["CURVE"],
                _ when clientsBy == ClientOrder.Owner => ["CLIENTS", "COUNT", s_count],
                _ => ["CLIENTS", "BY", Word(clientsBy), "COUNT", s_count],
            };
            _reports[panel].Refresh(nowSeconds, ["STRATA", .. command]);
        }
    }

    private static string Word(Enum order) => order.ToString().ToUpperInvariant();
}
