using NUnit.Framework;
using Strata.Bench;
using Strata.Bench.Servers;

namespace Strata.Tests.Bench;

/// <summary>Runs the bench tool in this process, against a redis-server started for the test.</summary>
internal static class BenchRun
{
    public const string RedisCommand =
        "redis-server --port {port} --bind 127.0.0.1 --save \"\" --appendonly no --dir {dir}";

    /// <summary>Starts redis-server on a free port; the test is skipped where there is none.</summary>
    public static ServerProcess StartRedis(string flags = "")
    {
        RequireOnPath("redis-server");
        return ServerProcess.Start(new ServerSpec("redis", 0, $"{RedisCommand} {flags}"), cpus: null);
    }

    /// <summary>Skips the test, with the reason, where a program is missing.</summary>
    public static void RequireOnPath(string program)
    {
        if (Support.ProgramRun.Find(program) is null)
        {
            Assert.Ignore($"{program} is not on the PATH: install it to run this test.");
        }
    }

    /// <summary>Runs the tool and returns its exit code and what it wrote.</summary>
    public static (int ExitCode, string Output, string Error) Run(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var exitCode = BenchCommandLine.Run(arguments, output, error);
        return (exitCode, output.ToString(), error.ToString());
    }

    /// <summary>Runs the tool, which must succeed, and returns its output.</summary>
    public static string Succeed(params string[] arguments)
    {
        var (exitCode, output, error) = Run(arguments);
        Assert.That(exitCode, Is.Zero, error);
        return output;
    }
}
