namespace Strata.Tests.Applications.Web;

/// <summary>What the program is told by its flags.</summary>
/// <param name="Redis">The server's address and time limits, as StackExchange.Redis takes them.</param>
/// <param name="KeysFolder">Where the keys of cookies lie; null when the server keeps them.</param>
/// <param name="IsWorker">Whether this instance works off background jobs.</param>
internal sealed record ShopSettings(string Redis, string? KeysFolder, bool IsWorker)
{
    /// <summary>On a machine that is busy with other tests, a late reply is no failure.</summary>
    private const string Patience = "connectTimeout=60000,syncTimeout=60000,asyncTimeout=60000";

    public static ShopSettings From(IConfiguration configuration) =>
        new(
            $"{Required(configuration, "redis")},{Patience}",
            configuration["keys"],
            configuration.GetValue<bool>("worker"));

    private static string Required(IConfiguration configuration, string name) =>
        configuration[name] ?? throw new InvalidOperationException($"--{name} is missing");
}
