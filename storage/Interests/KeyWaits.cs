using System.Diagnostics.CodeAnalysis;
using Strata.Storage.Changes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Interests;

/// <summary>Who waits for keys of a shard to have a value of a type (BLPOP and its like), and who has others wait,
/// since a command that goes on in steps holds a key.</summary>
public sealed class KeyWaits : KeyInterests
{
    internal KeyWaits(RecordStore store)
        : base(store)
    {
    }

    /// <summary>Who came first of those who wait for a type of value at a key; null when nobody does.</summary>
    public AwaitedKey? FirstFor(in Key key, RecordType type)
    {
        for (var wait = OldestIn(key); wait != null; wait = NextIn(key, wait))
        {
            if (wait is AwaitedKey awaited && awaited.Waiter.Type == type)
            {
                return awaited;
            }
        }

        return null;
    }

    /// <summary>Whether a command that goes on in steps holds a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="holder">Whose commands do not count: they go on.</param>
    /// <param name="held">Who holds it.</param>
    public bool IsHeld(in Key key, object holder, [NotNullWhen(true)] out HeldKey? held)
    {
        held = null;
        for (var interest = OldestIn(key); interest != null; interest = NextIn(key, interest))
        {
            if (interest is HeldKey other)
            {
                if (other.Holder == holder)
                {
                    held = null;
                    return false;
                }

                held = other;
            }
        }

        return held != null;
    }

    /// <inheritdoc/>
    public override void BeforeChange(in Key key, in Record record)
    {
        for (var interest = OldestIn(key); interest != null; interest = NextIn(key, interest))
        {
            (interest as HeldKey)?.OnChange();
        }
    }

    /// <inheritdoc/>
    public override void BeforeClear(int database)
    {
        foreach (var interest in Copy())
        {
            (interest as HeldKey)?.OnChange();
        }
    }

    /// <inheritdoc/>
    public override void Changed(in Key key, in Record record, in Change change)
    {
        if (!record.IsNull && FirstFor(key, record.Type) is { } first)
        {
            Wake(first, change.Author);
        }
    }

    /// <summary>Who came first of those who wait for a type of value at a key that may have one; null when nobody does.
    /// </summary>
    internal AwaitedKey? NextFor(in Key key, RecordType type)
        => FirstFor(key, type) is { } first && MayBeThere(key) ? first : null;

    /// <inheritdoc/>
    private protected override void OnPlaceChanging(KeyInterest interest) => (interest as HeldKey)?.OnChange();

    /// <inheritdoc/>
    private protected override void OnPlaceChanged(KeyInterest interest, IChangeAuthor? author)
    {
        // Who is not the first, or waits for another type, finds out by looking.
        if (interest is AwaitedKey awaited && MayBeThere(interest.Key))
        {
            Wake(awaited, author);
        }
    }

    private static void Wake(AwaitedKey awaited, IChangeAuthor? author)
    {
        awaited.Wake();
        (author as IKeyWaker)?.OnWoken(awaited);
    }
}
