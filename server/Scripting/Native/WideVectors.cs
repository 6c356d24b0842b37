using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Strata.Server.Scripting.Native;

/// <summary>
/// Code that copies by vectors of 256 bits leaves the processor's registers in a state in which older instructions, of
/// 128 bits, are slow: on some machines one takes as long as hundreds of others. A method ends that state when it
/// returns, and before it calls native code, but not before it has the runtime prepare the call, which executes such
/// instructions.
/// </summary>
internal static unsafe class WideVectors
{
    /// <summary>Bytes of what <see cref="End"/> is given.</summary>
    public const int Bytes = 32;

    /// <summary>Ends the state that callers have left: by returning, after having used such vectors.</summary>
    /// <param name="scratch">Bytes that stay as they are.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void End(byte* scratch)
    {
        if (Vector256.IsHardwareAccelerated)
        {
            Vector256.Load(scratch).Store(scratch);
        }
    }
}
