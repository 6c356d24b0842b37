using Microsoft.Extensions.Caching.Distributed;

namespace Strata.Tests.Applications.Web.Caching;

/// <summary>IDistributedCache over HTTP: an entry's bytes are the body.</summary>
internal static class CacheEndpoints
{
    public static void Map(IEndpointRouteBuilder routes)
    {
        routes.MapGet("/cache/{key}", async (string key, IDistributedCache cache) =>
            await cache.GetAsync(key) is { } value ? Results.Bytes(value) : Results.NotFound());
        routes.MapPut("/cache/{key}", SetAsync);
        routes.MapPost("/cache/{key}/refresh", (string key, IDistributedCache cache) => cache.RefreshAsync(key));
        routes.MapDelete("/cache/{key}", (string key, IDistributedCache cache) => cache.RemoveAsync(key));
    }

    private static async Task SetAsync(
        string key, long? absoluteMs, long? slidingMs, HttpRequest request, IDistributedCache cache)
    {
        using var body = new MemoryStream();
        await request.Body.CopyToAsync(body);
        var options = new DistributedCacheEntryOptions
        {
            AbsoluteExpirationRelativeToNow = Span(absoluteMs),
            SlidingExpiration = Span(slidingMs),
        };
        await cache.SetAsync(key, body.ToArray(), options);
    }

    private static TimeSpan? Span(long? milliseconds) =>
        milliseconds is { } value ? TimeSpan.FromMilliseconds(value) : null;
}
