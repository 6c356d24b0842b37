using System.Runtime.InteropServices;
using Strata.Storage.Runtime;

namespace Strata.Storage.Index;

/// <summary>
/// Where <see cref="KeyHash"/>'s secrets come from: one set for the whole process, so that they are constants of the
/// compiled hash. The kernel's, unless <see cref="Fix"/> says otherwise.
/// </summary>
public static class HashSecrets
{
    private static Platform s_source = Platform.Machine;
    private static int s_drawn;

    /// <summary>Takes the secrets from a platform whose random numbers can be repeated: what follows from them (the
    /// shard of a key, the order of SCAN) is then the same in each process that does so. For tests, before anything is
    /// hashed. Clients that know the secrets can choose keys that collide.</summary>
    public static void Fix(Platform source)
    {
        Invariant.Check(Volatile.Read(ref s_drawn) == 0, "the secrets are fixed before the first hash");
        s_source = source;
    }

    internal static ulong Draw()
    {
        s_drawn++;
        ulong secret = 0;
        s_source.FillSecret(MemoryMarshal.AsBytes(new Span<ulong>(ref secret)));
        return secret;
    }
}
