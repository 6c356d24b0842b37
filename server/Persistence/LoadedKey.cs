using System.Runtime.InteropServices;
using Strata.Server.Rdb;

namespace Strata.Server.Persistence;

/// <summary>A key of an RDB file that is to be loaded: in a <see cref="LoadBlock"/> its name follows, and then its
/// value as it is in the file.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct LoadedKey
{
    /// <summary>The key's hash.</summary>
    public ulong Hash;

    /// <summary>When it expires, milliseconds since 1970; -1 for never.</summary>
    public long ExpiryMs;

    /// <summary>Where the value is in the file.</summary>
    public long ValueOffset;

    /// <summary>Bytes of the value.</summary>
    public int ValueBytes;

    /// <summary>Bytes of the name.</summary>
    public int NameBytes;

    /// <summary>The physical number of its database.</summary>
    public byte Database;

    /// <summary>The number of the value's type and form.</summary>
    public byte Type;

    /// <summary>What else the file says of it.</summary>
    public RdbEntryInfo Info;
}
