using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// What the fixtures of this folder run over: Strata, and with APPLICATIONS_ON_REDIS=yes in the environment Redis too,
/// which proves that what they expect is what these programs do with Redis.
/// </summary>
internal static class ServersToTry
{
    private static readonly ServerKind[] s_kinds =
        Environment.GetEnvironmentVariable("APPLICATIONS_ON_REDIS") == "yes"
            ? [ServerKind.Strata, ServerKind.Redis]
            : [ServerKind.Strata];

    public static IEnumerable<TestFixtureData> Kinds() => s_kinds.Select(kind => new TestFixtureData(kind));

    /// <summary>Each kind with ioredis's two major versions.</summary>
    public static IEnumerable<TestFixtureData> IoRedis() => With("ioredis-5", "ioredis");

    /// <summary>Each kind with node-redis's two major versions.</summary>
    public static IEnumerable<TestFixtureData> NodeRedis() => With("redis-5", "redis");

    /// <summary>Each kind with the newest of both Node.js libraries.</summary>
    public static IEnumerable<TestFixtureData> NodeLibraries() => With("ioredis", "redis");

    /// <summary>Each kind with the versions of both Node.js libraries that Node.js 18 runs.</summary>
    public static IEnumerable<TestFixtureData> OlderNodeLibraries() => With("ioredis-5", "redis-5");

    /// <summary>Each kind with Redlock's two major versions.</summary>
    public static IEnumerable<TestFixtureData> Redlock() => With("redlock-4", "redlock");

    /// <summary>Each kind with the two versions of ASP.NET Core.</summary>
    public static IEnumerable<TestFixtureData> AspNetCore() => With(WebInstance.Net8, WebInstance.Net10);

    /// <summary>Each kind with two instances of one version of ASP.NET Core, and with one of each.</summary>
    public static IEnumerable<TestFixtureData> AspNetCorePairs() =>
        s_kinds.SelectMany(kind => new[]
        {
            new TestFixtureData(kind, WebInstance.Net10, WebInstance.Net10),
            new TestFixtureData(kind, WebInstance.Net10, WebInstance.Net8),
            new TestFixtureData(kind, WebInstance.Net8, WebInstance.Net8),
        });

    private static IEnumerable<TestFixtureData> With(params string[] variants) =>
        s_kinds.SelectMany(kind => variants.Select(variant => new TestFixtureData(kind, variant)));
}
