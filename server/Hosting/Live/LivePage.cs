using System.Security.Cryptography;
using System.Text;
using Strata.Storage.Runtime;

namespace Strata.Server.Hosting.Live;

/// <summary>
/// The live page, one document that asks for nothing elsewhere. Its parts are resources of the program (the folder
/// Page), put together when it is asked for first. What the browser may execute is named by hash, so that a text that
/// comes from a client can be neither script nor style, whatever it is.
/// </summary>
internal sealed class LivePage
{
    private static readonly string[] s_scripts =
        ["format.js", "history.js", "chart.js", "shardmap.js", "panels.js", "reports.js", "main.js"];

    /// <summary>Puts the page together.</summary>
    public LivePage()
    {
        var style = Read("page.css");
        var script = string.Concat(s_scripts.Select(Read));
        Html = Encoding.UTF8.GetBytes(Read("page.html")
            .Replace("/*style*/", style, StringComparison.Ordinal)
            .Replace("/*script*/", script, StringComparison.Ordinal));
        Policy = $"default-src 'none'; script-src '{HashOf(script)}'; style-src '{HashOf(style)}'; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /// <summary>The document.</summary>
    public byte[] Html { get; }

    /// <summary>What it may do, for the header Content-Security-Policy.</summary>
    public string Policy { get; }

    private static string HashOf(string text)
    {
        Span<byte> digest = stackalloc byte[SHA256.HashSizeInBytes];
        Digests.Sha256(Encoding.UTF8.GetBytes(text), digest);
        return "sha256-" + Convert.ToBase64String(digest);
    }

    private static string Read(string name)
    {
        using var reader = new StreamReader(typeof(LivePage).Assembly.GetManifestResourceStream("live/" + name)!);
        return reader.ReadToEnd();
    }
}
