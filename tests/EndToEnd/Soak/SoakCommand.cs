using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Soak;

/// <summary>A command, and what is wrong with a reply to it.</summary>
/// <param name="Command">The command.</param>
/// <param name="Problem">What is wrong with a reply that is no error; null when nothing is.</param>
internal sealed record SoakCommand(RespCommand Command, Func<RespValue, string?>? Problem = null)
{
    /// <summary>The error it may be answered; all others fail the test.</summary>
    private string? Expected { get; init; }

    /// <summary>A command any reply to which will do that is no error.</summary>
    public static SoakCommand Of(params string[] arguments) => new(RespCommand.Of(arguments));

    /// <summary>A command on two keys, which may be the same one by chance.</summary>
    public static SoakCommand OfTwo(params string[] arguments)
    {
        return new SoakCommand(RespCommand.Of(arguments))
        {
            Expected = "ERR source and destination objects are the same",
        };
    }

    /// <summary>Fails the test unless the reply is right.</summary>
    public void Check(RespValue reply)
    {
        var error = ErrorIn(reply);
        if (error != null && error.Text == Expected)
        {
            return;
        }

        Assert.That(error, Is.Null, Command.ToString());
        Assert.That(Problem?.Invoke(reply), Is.Null, Command.ToString());
    }

    private static RespValue? ErrorIn(RespValue reply)
        => reply.IsError ? reply : reply.Items.Select(ErrorIn).FirstOrDefault(error => error != null);
}
