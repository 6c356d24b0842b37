using NUnit.Framework;

namespace Strata.Tests.Support;

/// <summary>Finds and starts redis-server, the oracle of the black-box tests.</summary>
public static class RedisProcess
{
    /// <summary>The version whose replies the tests were written against.</summary>
    public const string ExpectedVersion = "7.0.15";

    private static readonly string[] s_noPersistence = ["--save", "", "--appendonly", "no"];

    /// <summary>The redis-server of PATH; the running test is ignored where there is none.</summary>
    public static string Program()
    {
        var found = ProgramRun.Find("redis-server");
        if (found is null)
        {
            Assert.Ignore("redis-server isn't in PATH, so there is nothing to compare with; install it to run this.");
        }

        return found!;
    }

    /// <summary>Starts a server without persistence on a free port of 127.0.0.1 and waits until it answers.</summary>
    public static ServerProcess Start(params string[] flags) =>
        ServerProcess.Start(ServerKind.Redis, [Program()], [.. s_noPersistence, .. flags]);
}
