using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands.Model;
using Strata.Server.Messaging;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Tracking;

/// <summary>
/// The prefixes of keys whose changes clients are told of whether they have read them or not (CLIENT TRACKING BCAST),
/// for the whole server, each with how many clients of which worker. Clients come and go under a lock; whoever changes
/// a key looks its beginnings up, of each length that a prefix has, without one.
/// </summary>
internal sealed class TrackedPrefixes(int workers, MemoryBudget budget)
{
    // Lengths are looked up one by one at each change: of a longer prefix so many bytes count.
    private const int Longest = 128;

    private readonly Lock _lock = new();
    private readonly ChannelDirectory _directory = new(workers, budget);
    private readonly int[] _prefixesOf = new int[Longest + 1];
    private volatile int[] _lengths = [];

    /// <summary>Prefixes; any thread.</summary>
    public int Count => _directory.Count;

    /// <summary>The lengths that prefixes have, in ascending order.</summary>
    public ReadOnlySpan<int> Lengths => _lengths;

    /// <summary>What counts of a prefix.</summary>
    public static ReadOnlySpan<byte> Counted(ReadOnlySpan<byte> prefix)
        => prefix[..Math.Min(prefix.Length, Longest)];

    /// <summary>Adds a client to those that are told of a prefix; on its worker.</summary>
    public void Add(CommandClient client, ReadOnlySpan<byte> prefix)
    {
        lock (_lock)
        {
            var counted = Counted(prefix);
            if (Has(client, counted, out _))
            {
                return;
            }

            var channel = _directory.Subscribe(client, counted, out _);
            if (channel.Total == 1 && _prefixesOf[counted.Length]++ == 0)
            {
                UpdateLengths();
            }
        }
    }

    /// <summary>Takes a client off; on its worker.</summary>
    public void Remove(CommandClient client, ReadOnlySpan<byte> prefix)
    {
        lock (_lock)
        {
            var counted = Counted(prefix);
            if (!Has(client, counted, out var channel))
            {
                return; // It was told of two that are alike in what counts.
            }

            _ = _directory.Unsubscribe(client, channel);
            if (channel.Total == 0 && --_prefixesOf[counted.Length] == 0)
            {
                UpdateLengths();
            }
        }
    }

    /// <summary>A prefix that is a key's beginning of some length.</summary>
    public bool TryFind(ReadOnlySpan<byte> key, int length, [NotNullWhen(true)] out Channel? prefix)
    {
        var beginning = key[..length];
        prefix = _directory.Find(beginning, ChannelDirectory.HashOf(beginning));
        return prefix != null;
    }

    /// <summary>Marks the workers that have clients which are told of a key.</summary>
    public void Mark(ReadOnlySpan<byte> key, Span<bool> receiving)
    {
        foreach (var length in _lengths)
        {
            if (length > key.Length)
            {
                return;
            }

            if (TryFind(key, length, out var prefix))
            {
                for (var i = 0; i < receiving.Length; i++)
                {
                    receiving[i] |= prefix.CountOf(i) > 0;
                }
            }
        }
    }

    private bool Has(CommandClient client, ReadOnlySpan<byte> counted, [NotNullWhen(true)] out Channel? channel)
        => TryFind(counted, counted.Length, out channel)
            && channel.SubscribersOf(client.Worker.Number)?.Contains(client) == true;

    private void UpdateLengths()
        => _lengths = [.. Enumerable.Range(0, _prefixesOf.Length).Where(length => _prefixesOf[length] > 0)];
}
