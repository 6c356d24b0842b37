using NUnit.Framework;

namespace Strata.Tests.EndToEnd;

/// <summary>The concurrency test is only as good as its checksums.</summary>
[TestFixture]
internal sealed class ChecksummedValueTests
{
    [Test]
    public void A_whole_value_is_accepted_and_a_damaged_one_is_not()
    {
        var random = new Random(1);
        var value = ChecksummedValue.Make("k", 300, random);
        var other = ChecksummedValue.Make("k", 300, random);
        var torn = value[..150].Concat(other[150..]).ToArray();

        Assert.That(ChecksummedValue.Problem("k", value), Is.Null);
        Assert.That(ChecksummedValue.Problem("k", torn), Does.Contain("checksum"));
        Assert.That(ChecksummedValue.Problem("l", value), Does.Contain("the value of k"));
        Assert.That(ChecksummedValue.Problem("k", value.AsSpan(0, 200)), Does.Contain("200 bytes"));
        Assert.That(ChecksummedValue.Problem("k", []), Does.Contain("too few"));
    }
}
