using System.Runtime.InteropServices;

namespace Strata.Server.Hosting;

/// <summary>SIGINT as the program finds it when it starts.</summary>
internal static partial class InterruptSignal
{
    private const int Default = 0;
    private const int SigInt = 2;

    /// <summary>Undoes the ignoring of SIGINT that the program inherited. A shell without job control starts what runs
    /// in the background so, and the runtime leaves a signal alone that is ignored when it first looks: the server
    /// could not be stopped by it.</summary>
    /// <remarks>Before anything that has to do with the console or with signals.</remarks>
    public static void StopIgnoring() => _ = Signal(SigInt, Default);

    // It fails only for a number that is not a signal.
    [LibraryImport("libc", EntryPoint = "signal")]
    private static partial nint Signal(int signal, nint handler);
}
