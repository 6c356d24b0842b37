namespace Strata.Server.Clients.Access;

/// <summary>Keys that a user may name.</summary>
/// <param name="Pattern">Which.</param>
/// <param name="Rights">What may be done with them.</param>
internal readonly record struct KeyRule(AccessPattern Pattern, KeyRights Rights)
{
    /// <summary>The rule as ACL LIST gives it.</summary>
    public override string ToString() => Rights switch
    {
        KeyRights.Read => $"%R~{Pattern.Text}",
        KeyRights.Write => $"%W~{Pattern.Text}",
        _ => $"~{Pattern.Text}",
    };

    /// <summary>The rule as a file has it. Behind ~* no other pattern is taken: where one may follow, since all keys
    /// were allowed by their rights, it is these that are written.</summary>
    public string FileText => Rights == KeyRights.All && Pattern.Text == "*" ? "%RW~*" : ToString();

    /// <summary>Whether a key may be used in a way.</summary>
    public bool Allows(ReadOnlySpan<byte> key, KeyRights rights)
        => (Rights & rights) == rights && Pattern.IsMatch(key);
}
