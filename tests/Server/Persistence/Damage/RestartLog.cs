using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Strata.Server;

namespace Strata.Tests.Server.Persistence.Damage;

/// <summary>What a server in the tests' process warns of.</summary>
internal sealed class RestartLog : ILogger<StrataServer>
{
    /// <summary>The texts.</summary>
    public ConcurrentQueue<string> Texts { get; } = new();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            Texts.Enqueue(formatter(state, exception));
        }
    }
}
