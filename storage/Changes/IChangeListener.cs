using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Storage.Changes;

/// <summary>
/// Is told of every change of a shard's keys, whoever makes it: commands, expiry, eviction. Called under the shard's
/// lease, on the thread that holds it. It must neither change the shard nor throw, and what it is given is good until
/// it returns. What only changes how a value is kept (a page that is moved, a collection that is frozen or made large)
/// is no change.
/// </summary>
public interface IChangeListener
{
    /// <summary>A key is about to be changed, at least once before each <see cref="Changed"/>; it may turn out that
    /// it stays as it is.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record, which can still be read, but for the value of one that is deleted without being
    /// read (<see cref="Record.IsWithoutValue"/>); a null one where it has none.</param>
    void BeforeChange(in Key key, in Record record);

    /// <summary>A key was changed: all of the change is done. Some changes are told by several events, of which the
    /// first finds the key as the last one does.</summary>
    /// <param name="key">The key.</param>
    /// <param name="record">Its record by now; a null one where it is gone.</param>
    /// <param name="change">What became of it.</param>
    void Changed(in Key key, in Record record, in Change change);

    /// <summary>A field of a hash is about to go, since its time has come. Of the hash it is told as of a change,
    /// before the first of its fields and behind the last.</summary>
    /// <param name="key">The hash's key.</param>
    /// <param name="field">The field's name.</param>
    void FieldExpired(in Key key, ReadOnlySpan<byte> field)
    {
        // To most it is a change of the hash, like others.
    }

    /// <summary>All keys of a database are about to go; of none of them will anything be told.</summary>
    /// <param name="database">The database, by its physical number, or <see cref="ShardChanges.AllDatabases"/>.</param>
    void BeforeClear(int database);

    /// <summary>They are gone.</summary>
    /// <param name="database">The database, by its physical number, or <see cref="ShardChanges.AllDatabases"/>.</param>
    /// <param name="author">Who asked for it.</param>
    void Cleared(int database, IChangeAuthor? author);

    /// <summary>Two databases are about to change places (SWAPDB): clients will know the keys of the one by the number
    /// of the other. Keys and physical numbers stay as they are; of none of the keys will anything be told. All leases
    /// are held, and the listeners of all shards are told before the first hears that it is done.</summary>
    /// <param name="first">One database, by its physical number.</param>
    /// <param name="second">Another one.</param>
    void BeforeExchange(byte first, byte second);

    /// <summary>They have changed places.</summary>
    /// <param name="first">One database, by its physical number.</param>
    /// <param name="second">The other.</param>
    /// <param name="author">Who asked for it.</param>
    void Exchanged(byte first, byte second, IChangeAuthor? author);
}
