using System.Text;
using NUnit.Framework;
using Strata.Server.Clients;

namespace Strata.Tests.Server.Clients;

/// <summary>The comparison of passwords.</summary>
public sealed class PasswordsTests
{
    [TestCase("secret", "secret", true)]
    [TestCase("secres", "secret", false)]
    [TestCase("tecret", "secret", false)]
    [TestCase("secre", "secret", false)]
    [TestCase("secretsecret", "secret", false)]
    [TestCase("", "secret", false)]
    public void Only_the_same_bytes_are_equal(string given, string expected, bool areEqual)
        => Assert.That(
            Passwords.AreEqual(Encoding.ASCII.GetBytes(given), Encoding.ASCII.GetBytes(expected)),
            Is.EqualTo(areEqual));
}
