using Strata.Server.Network.Transport.Tls.Native;
using Strata.Storage.Memory;

namespace Strata.Server.Network.Transport.Tls;

/// <summary>What the connections of one thread share: the memory for what is encrypted. It is taken when there is the
/// first of them.</summary>
/// <param name="budget">What it is charged to.</param>
internal sealed unsafe class TlsEngine(MemoryBudget budget) : IDisposable
{
    public nint Handle { get; private set; }

    /// <summary>Takes the memory, if it was not; the library is loaded.</summary>
    /// <returns>False when the system gives none.</returns>
    public bool TryOpen()
    {
        if (Handle != 0)
        {
            return true;
        }

        nint engine;
        if (TlsLibrary.OpenEngine(&engine) != TlsStatus.Ok)
        {
            return false;
        }

        Handle = engine;
        budget.Charge(ServerLimits.BytesPerTlsEngine);
        return true;
    }

    /// <summary>Gives it back, after the last of its connections.</summary>
    public void Dispose()
    {
        if (Handle != 0)
        {
            TlsLibrary.CloseEngine(Handle);
            Handle = 0;
            budget.Charge(-ServerLimits.BytesPerTlsEngine);
        }
    }
}
