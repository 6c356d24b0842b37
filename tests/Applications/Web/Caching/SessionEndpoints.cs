namespace Strata.Tests.Applications.Web.Caching;

/// <summary>A visitor's session: values by name, kept for whoever sends the cookie.</summary>
internal static class SessionEndpoints
{
    public static void Map(IEndpointRouteBuilder routes)
    {
        routes.MapGet("/session/{name}", async (string name, HttpContext context) =>
        {
            await context.Session.LoadAsync();
            return context.Session.GetString(name) is { } value ? Results.Text(value) : Results.NotFound();
        });
        routes.MapPut("/session/{name}", async (string name, HttpContext context) =>
        {
            using var body = new StreamReader(context.Request.Body);
            await context.Session.LoadAsync();
            context.Session.SetString(name, await body.ReadToEndAsync());
        });
    }
}
