using System.Buffers;
using System.Text;
using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Diagnostics;
using Strata.Server.Lifecycle;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>Answers for a server what is asked from outside its protocol.</summary>
/// <param name="services">The server.</param>
internal sealed class ServerObserver(ServerServices services) : IServerObserver
{
    private readonly Lock _scrapes = new();
    private MetricSource? _lastScrape;

    /// <inheritdoc/>
    public string? WhyNotReady
        => services.Loading.IsLoading ? "The data is being loaded." : null;

    /// <inheritdoc/>
    public bool MayObserve(string? user, string password)
        => UserOf(user, password)?.AllowsCommand(services.Names.All.Find("info"u8)!) == true;

    /// <inheritdoc/>
    public bool TryWriteReport(PageReport report, string? user, string password, IBufferWriter<byte> output)
    {
        var name = Encoding.ASCII.GetBytes(report.ToString().ToLowerInvariant());
        var row = services.Names.All.Find("strata"u8)!.Subcommands!.Find(name)!;
        if (UserOf(user, password) is not { } current || !current.AllowsCommand(row))
        {
            return false;
        }

        switch (report)
        {
            case PageReport.HotKeys:
                HotKeyFigures.Write(services, row, current, output);
                break;
            case PageReport.Prefixes:
                PrefixFigures.Write(services, row, current, output);
                break;
            default:
                CostFigures.Write(services, output);
                break;
        }

        return true;
    }

    /// <inheritdoc/>
    public void WriteMetrics(IBufferWriter<byte> output, bool isOpenMetrics)
    {
        lock (_scrapes)
        {
            var turns = new ShortTurns(services.Context.Platform.Clock);
            turns.End(); // Whoever was asked has used some of it.
            _lastScrape = MetricSource.SinceStart(services, _lastScrape) with { Turns = turns };
            MetricCatalogue.Write(_lastScrape, new MetricsText(output, isOpenMetrics, turns));
        }
    }

    /// <inheritdoc/>
    public ILiveFigures StartLive() => new LiveFigures(services);

    /// <inheritdoc/>
    public IDisposable StartTelemetry() => new ServerTelemetry(services);

    /// <summary>The user who gives a name and a password; null where there is none of these.</summary>
    private AccessUser? UserOf(string? user, string password)
    {
        var given = Encoding.UTF8.GetBytes(password);
        if (given.Length > ServerLimits.LongestCredentialBytes || user?.Length > ServerLimits.LongestCredentialBytes)
        {
            return null;
        }

        var slot = user == null
            ? services.Users.Default
            : services.Users.Find(Encoding.UTF8.GetBytes(user));
        return slot is { IsDeleted: false, Current: { IsEnabled: true } current }
            && (user == null ? current.NeedsNoPassword : current.IsPassword(given)) ? current : null;
    }
}
