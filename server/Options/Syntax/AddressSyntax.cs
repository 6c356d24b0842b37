using System.Net;

namespace Strata.Server.Options.Syntax;

/// <summary>One IP address: 127.0.0.1, ::1, 0.0.0.0 for all of IPv4, :: for all.</summary>
public sealed class AddressSyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => false;

    /// <inheritdoc/>
    public string Form => "address";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = words[0];
        error = IPAddress.TryParse(text, out _) ? "" : "argument must be an IP address";
        return error.Length == 0;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text];
}
