using System.Buffers;

namespace Strata.Server.Lifecycle;

/// <summary>What can be asked of the engine from outside its protocol. Any thread, between the engine's start and stop.
/// </summary>
public interface IServerObserver
{
    /// <summary>The name of the meter and of the source of activities.</summary>
    const string TelemetryName = "strata";

    /// <summary>Why clients are not served now, a sentence; null when they are.</summary>
    string? WhyNotReady { get; }

    /// <summary>Whether somebody may see the metrics: a user who may execute INFO, or anybody where no password is
    /// asked for that.</summary>
    /// <param name="user">The user's name; null for somebody who gives none.</param>
    /// <param name="password">The password.</param>
    bool MayObserve(string? user, string password);

    /// <summary>Writes all metrics for Prometheus.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="isOpenMetrics">In the format of OpenMetrics, else in Prometheus's own.</param>
    void WriteMetrics(IBufferWriter<byte> output, bool isOpenMetrics);

    /// <summary>Writes a report for the live page, as JSON, as far as somebody may see what it tells of.</summary>
    /// <param name="report">Which one.</param>
    /// <param name="user">The user's name; null for somebody who gives none.</param>
    /// <param name="password">The password.</param>
    /// <param name="output">Where to.</param>
    /// <returns>False for a user who may not execute the subcommand of STRATA that tells of it.</returns>
    bool TryWriteReport(PageReport report, string? user, string password, IBufferWriter<byte> output);

    /// <summary>Begins to look at the server as the live page does.</summary>
    ILiveFigures StartLive();

    /// <summary>Has the metrics be instruments of a meter, and slow commands activities of a source, both of the
    /// server's name (<see cref="TelemetryName"/>), until what is returned is disposed of.</summary>
    IDisposable StartTelemetry();
}
