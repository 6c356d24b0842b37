namespace Strata.Storage.Records;

/// <summary>What a look-up without side effects found.</summary>
public enum FindResult
{
    Missing,
    Found,

    /// <summary>The key is there but its time has come: to the client it is missing, and whoever holds the lease
    /// should delete it.</summary>
    Expired,

    /// <summary>Whether the key is there is not known: a record that may be its is on the device alone, and was not
    /// read for who looks, or cannot be had.</summary>
    Cold,
}
