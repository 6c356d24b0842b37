using Strata.Server.Text;

namespace Strata.Server.Options.Syntax;

/// <summary>The address of a service by HTTP, or nothing: http://host:port or https://host:port, with a path or not.
/// </summary>
public sealed class EndpointSyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "http://host:port or https://host:port";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = words[0];
        error = text.Length == 0 || IsEndpoint(text) ? "" : "argument must be http://host:port or https://host:port";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [QuotedWords.Quote(text)];

    private static bool IsEndpoint(string text)
        => Uri.TryCreate(text, UriKind.Absolute, out var uri)
            && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
            && uri.Host.Length > 0 && uri.UserInfo.Length == 0 && uri.Query.Length == 0 && uri.Fragment.Length == 0;
}
