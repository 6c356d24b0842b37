using System.Globalization;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>
/// Clients on threads of their own, each with its own connection and random sequence, for as long as the run
/// lasts: seconds, or CONCURRENCY_MINUTES from the environment.
/// </summary>
internal static class ConcurrentClients
{
    private static readonly TimeSpan s_default = TimeSpan.FromSeconds(3);

    public static TimeSpan Duration { get; } = FromEnvironment();

    /// <summary>
    /// Runs the turn of each client again and again until the time is over. The first failure ends the run and is
    /// thrown again here.
    /// </summary>
    public static void Run(ServerProcess server, params Action<RespConnection, Random>[] turns) =>
        Run(server, Duration, turns);

    /// <summary>The same for a time of the caller's own.</summary>
    public static void Run(ServerProcess server, TimeSpan duration, params Action<RespConnection, Random>[] turns)
    {
        using var stop = new CancellationTokenSource(duration);
        Run(server, turns, (turn, connection, random) =>
        {
            while (!stop.IsCancellationRequested)
            {
                turn(connection, random);
            }
        }, onFailure: stop.Cancel);
    }

    /// <summary>Runs each client's work once, all at the same time.</summary>
    public static void RunOnce(ServerProcess server, params Action<RespConnection, Random>[] work) =>
        Run(server, work, (once, connection, random) => once(connection, random), onFailure: () => { });

    private static void Run(
        ServerProcess server,
        Action<RespConnection, Random>[] clients,
        Action<Action<RespConnection, Random>, RespConnection, Random> run,
        Action onFailure)
    {
        var failures = new List<Exception>();
        var threads = clients.Select((client, index) => new Thread(() =>
        {
            try
            {
                using var connection = server.Connect();
                run(client, connection, new Random(index));
            }
            catch (Exception e)
            {
                lock (failures)
                {
                    failures.Add(e);
                }

                onFailure();
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        if (failures.Count > 0)
        {
            throw new InvalidOperationException($"{failures[0].Message}\n{server.Output}", failures[0]);
        }
    }

    private static TimeSpan FromEnvironment()
    {
        var minutes = Environment.GetEnvironmentVariable("CONCURRENCY_MINUTES");
        return string.IsNullOrEmpty(minutes)
            ? s_default
            : TimeSpan.FromMinutes(double.Parse(minutes, CultureInfo.InvariantCulture));
    }
}
