using System.Buffers;
using System.Text;
using Strata.Server.Clients;
using Strata.Server.Lifecycle;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>Answers for a server what is asked from outside its protocol.</summary>
/// <param name="services">The server.</param>
internal sealed class ServerObserver(ServerServices services) : IServerObserver
{
    /// <inheritdoc/>
    public string? WhyNotReady
        => services.Loading.IsLoading ? "The data is being loaded." : null;

    /// <inheritdoc/>
    public bool MayObserve(string? user, string password)
    {
        var given = Encoding.UTF8.GetBytes(password);
        if (given.Length > ServerLimits.LongestCredentialBytes || user?.Length > ServerLimits.LongestCredentialBytes)
        {
            return false;
        }

        var info = services.Names.All.Find("info"u8)!;
        var slot = user == null
            ? services.Users.Default
            : services.Users.Find(Encoding.UTF8.GetBytes(user));
        return slot is { IsDeleted: false, Current: { IsEnabled: true } current }
            && (user == null ? current.NeedsNoPassword : current.IsPassword(given)) && current.AllowsCommand(info);
    }

    /// <inheritdoc/>
    public void WriteMetrics(IBufferWriter<byte> output, bool isOpenMetrics)
        => MetricCatalogue.Write(MetricSource.SinceStart(services), output, isOpenMetrics);

    /// <inheritdoc/>
    public ILiveFigures StartLive() => new LiveFigures(services);

    /// <inheritdoc/>
    public IDisposable StartTelemetry() => new ServerTelemetry(services);
}
