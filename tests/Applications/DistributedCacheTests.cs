using System.Net;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// IDistributedCache of ASP.NET Core 8 and 10. Version 8 stores an entry by a script, so that here version 10 stores
/// what it reads, refreshes and removes, as while a site goes from one to the other.
/// </summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.AspNetCore))]
internal sealed class DistributedCacheTests(ServerKind kind, string framework) : ApplicationFixture(kind)
{
    private const long HourMs = 3_600_000;

    private WebInstance _shop = null!;
    private WebInstance _writer = null!;

    [OneTimeSetUp]
    public void StartShops()
    {
        _shop = WebInstance.Start(Server, framework);
        _writer = framework == WebInstance.Net10 ? _shop : WebInstance.Start(Server, WebInstance.Net10);
    }

    [OneTimeTearDown]
    public void StopShops()
    {
        _shop?.Dispose();
        if (_writer != _shop)
        {
            _writer?.Dispose();
        }
    }

    [Test]
    public async Task An_entry_is_read_until_it_is_removed()
    {
        await StoreAsync(_writer, "cup", [0, 13, 10, 255], "");

        Assert.That(await ReadAsync("cup"), Is.EqualTo(new byte[] { 0, 13, 10, 255 }));
        Assert.That(await ReadAsync("plate"), Is.Null);
        Assert.That(Call("PTTL", "shop:cup").Integer, Is.EqualTo(-1));

        await _shop.AskAsync(HttpMethod.Delete, "/cache/cup");
        Assert.That(await ReadAsync("cup"), Is.Null);
        Assert.That(Call("DBSIZE").Integer, Is.Zero);
    }

    [Test]
    public async Task Reading_and_refreshing_push_a_sliding_expiry_on()
    {
        await StoreAsync(_writer, "cup", [1], $"slidingMs={HourMs}");
        AssertExpiresIn("cup", HourMs);

        Call("PEXPIRE", "shop:cup", "100000");
        Assert.That(await ReadAsync("cup"), Is.Not.Null);
        AssertExpiresIn("cup", HourMs);

        Call("PEXPIRE", "shop:cup", "100000");
        await _shop.AskAsync(HttpMethod.Post, "/cache/cup/refresh");
        AssertExpiresIn("cup", HourMs);
    }

    [Test]
    public async Task A_sliding_expiry_ends_at_the_absolute_one()
    {
        await StoreAsync(_writer, "cup", [1], $"slidingMs={2 * HourMs}&absoluteMs={HourMs}");
        AssertExpiresIn("cup", HourMs);

        Call("PEXPIRE", "shop:cup", "100000");
        Assert.That(await ReadAsync("cup"), Is.Not.Null);
        AssertExpiresIn("cup", HourMs);
    }

    [TestCase("absoluteMs=200")]
    [TestCase("slidingMs=200")]
    public async Task An_entry_that_nobody_reads_expires(string options)
    {
        await StoreAsync(_writer, "cup", [1], options);

        Assert.That(() => Call("EXISTS", "shop:cup").Integer, Is.Zero.After(30_000, pollingInterval: 20));
        Assert.That(await ReadAsync("cup"), Is.Null);
    }

    [Test]
    public async Task An_entry_is_stored_with_its_expiry()
    {
        await StoreAsync(_shop, "cup", [1], $"absoluteMs={HourMs}");
        AssertExpiresIn("cup", HourMs);
        await StoreAsync(_shop, "cup", [2], $"slidingMs={2 * HourMs}");
        AssertExpiresIn("cup", 2 * HourMs);

        Assert.That(await ReadAsync("cup"), Is.EqualTo(new byte[] { 2 }));
        Call("PEXPIRE", "shop:cup", "100000");
        Assert.That(await ReadAsync("cup"), Is.Not.Null);
        AssertExpiresIn("cup", 2 * HourMs);
    }

    [Test]
    public async Task A_megabyte_is_stored_and_read()
    {
        var value = new byte[1 << 20];
        new Random(1).NextBytes(value);

        await StoreAsync(_shop, "catalogue", value, "");

        Assert.That(await ReadAsync("catalogue"), Is.EqualTo(value));
    }

    private static async Task StoreAsync(WebInstance shop, string key, byte[] value, string options)
    {
        using var body = new ByteArrayContent(value);
        await shop.AskAsync(HttpMethod.Put, $"/cache/{key}?{options}", body);
    }

    private async Task<byte[]?> ReadAsync(string key)
    {
        using var response = await _shop.Client.GetAsync($"/cache/{key}");
        if (response.StatusCode == HttpStatusCode.NotFound)
        {
            return null;
        }

        Assert.That(response.StatusCode, Is.EqualTo(HttpStatusCode.OK));
        return await response.Content.ReadAsByteArrayAsync();
    }

    /// <summary>The entry lives that long; ten minutes are left to a busy machine.</summary>
    private void AssertExpiresIn(string key, long milliseconds) =>
        Assert.That(Call("PTTL", $"shop:{key}").Integer, Is.InRange(milliseconds - 600_000, milliseconds));
}
