using Microsoft.Extensions.Logging;
using NUnit.Framework;

namespace Strata.Tests.Server;

/// <summary>What a server inside the tests' process logs of failures, in the test's output.</summary>
internal sealed class FailureLog<T> : ILogger<T>
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
        => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Error;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            TestContext.Out.WriteLine($"{formatter(state, exception)} {exception}");
        }
    }
}
