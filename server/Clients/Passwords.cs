
namespace Strata.Server.Clients;

/// <summary>Checks the password of the one user there is, "default".</summary>
internal static class Passwords
{
    /// <summary>The error of a wrong user or password.</summary>
    public static ReadOnlySpan<byte> Wrong => "WRONGPASS invalid username-password pair or user is disabled."u8;

    /// <summary>The name of the only user.</summary>
    public static ReadOnlySpan<byte> DefaultUser => "default"u8;

    /// <summary>Authenticates the session if user and password are right. Without a configured password every one is.
    /// </summary>
    public static bool TryAuthenticate(Session session, ReadOnlySpan<byte> user, ReadOnlySpan<byte> password)
    {
        var expected = session.Worker.Server.Configuration.Current.Requirepass.Span;
        if (!user.SequenceEqual(DefaultUser) || (!expected.IsEmpty && !AreEqual(password, expected)))
        {
            session.Worker.Statistics.AuthenticationsDenied++;
            return false;
        }

        session.IsAuthenticated = true;
        return true;
    }

    /// <summary>Compares in a time that depends on the given text's length alone.</summary>
    internal static bool AreEqual(ReadOnlySpan<byte> given, ReadOnlySpan<byte> expected)
    {
        var difference = given.Length ^ expected.Length;
        for (var i = 0; i < given.Length; i++)
        {
            difference |= given[i] ^ expected[i % expected.Length];
        }

        return difference == 0;
    }
}
