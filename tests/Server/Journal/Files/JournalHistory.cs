using NUnit.Framework;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>What was written to a journal over all its lives.</summary>
internal sealed class JournalHistory
{
    public List<int> Written { get; set; } = [];

    /// <summary>How many of them were there at the end of each batch.</summary>
    public HashSet<int> Ends { get; } = [0];

    /// <summary>How many of them must be there.</summary>
    public int Acknowledged { get; set; }

    public void Check(List<int> numbers)
    {
        Assert.That(numbers, Is.EqualTo(Enumerable.Range(0, numbers.Count)), "in order, none missing, none twice");
        Assert.That(numbers, Has.Count.LessThanOrEqualTo(Math.Max(Written.Count, numbers.Count == 0 ? 0 : Ends.Max())));
        Assert.That(numbers, Has.Count.GreaterThanOrEqualTo(Acknowledged), "what was synced is there");
        Assert.That(Ends, Does.Contain(numbers.Count), "whole batches");
    }
}
