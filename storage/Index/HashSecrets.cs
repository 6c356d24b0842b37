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
    private static ulong[]? s_restored;

    /// <summary>Takes the secrets from a platform whose random numbers can be repeated: what follows from them (the
    /// shard of a key, the order of SCAN) is then the same in each process that does so. For tests, before anything is
    /// hashed. Clients that know the secrets can choose keys that collide.</summary>
    public static void Fix(Platform source)
    {
        Invariant.Check(Volatile.Read(ref s_drawn) == 0, "the secrets are fixed before the first hash");
        s_source = source;
    }

    /// <summary>The secrets, so that what follows from them can be kept.</summary>
    public static ReadOnlySpan<ulong> Current => KeyHash.Secrets;

    /// <summary>Takes the secrets that data was kept under, before anything is hashed.</summary>
    /// <returns>False where other ones are in use already.</returns>
    public static bool TryRestore(ReadOnlySpan<ulong> secrets)
    {
        if (Volatile.Read(ref s_drawn) == 0)
        {
            s_restored = [.. secrets];
        }

        return Current.SequenceEqual(secrets);
    }

    internal static ulong Draw()
    {
        if (s_restored is { } restored)
        {
            return restored[s_drawn++];
        }

        s_drawn++;
        ulong secret = 0;
        s_source.FillSecret(MemoryMarshal.AsBytes(new Span<ulong>(ref secret)));
        return secret;
    }
}
