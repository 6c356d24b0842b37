namespace Strata.Storage.Log;

/// <summary>What a record's value is (3 bits of the header).</summary>
public enum RecordType : byte
{
    String = 0,
    List = 1,
    Set = 2,
    SortedSet = 3,
    Hash = 4,
    Stream = 5,
}
