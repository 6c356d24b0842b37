using System.Net.Sockets;
using NUnit.Framework;
using Strata.Server.Options;

namespace Strata.Tests.Server.Options;

public sealed class BindAddressTests
{
    [TestCase("*", "0.0.0.0")]
    [TestCase("0.0.0.0", "0.0.0.0")]
    [TestCase("::*", "::")]
    [TestCase("::", "::")]
    [TestCase("-::0", "::")]
    [TestCase("127.0.0.1", "127.0.0.1")]
    [TestCase("-::1", "::1")]
    public void Addresses_are_themselves(string text, string address)
        => Assert.That(BindAddress.Parse(text).Resolve().Select(one => one.ToString()), Is.EqualTo(new[] { address }));

    [Test]
    public void A_name_is_looked_up()
        => Assert.That(BindAddress.Parse("localhost").Resolve(), Is.Not.Empty);

    [Test]
    public void A_name_that_is_too_long_has_no_address()
        => Assert.That(() => BindAddress.Parse(new string('x', 300)).Resolve(), Throws.TypeOf<SocketException>());
}
