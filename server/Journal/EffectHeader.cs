using System.Runtime.InteropServices;

namespace Strata.Server.Journal;

/// <summary>What precedes the RESP of one effect.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct EffectHeader
{
    /// <summary>Bytes of RESP.</summary>
    public long Bytes;

    /// <summary>The database it is for, by the clients' number.</summary>
    public ushort Database;

    /// <summary>Where it stands in its unit.</summary>
    public EffectFlags Flags;
}
