using System.Runtime.InteropServices;
using Strata.Storage.Interop;

namespace Strata.Server.Network;

/// <summary>What sendmsg(2) sends: of a connected socket the parts alone (struct msghdr).</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct MessageHeader
{
    private readonly void* _name;
    private readonly uint _nameLength;
    private readonly IoVector* _parts;
    private readonly nuint _partCount;
    private readonly void* _control;
    private readonly nuint _controlLength;
    private readonly int _flags;

    public MessageHeader(IoVector* parts, int count)
    {
        _parts = parts;
        _partCount = (nuint)count;
    }
}
