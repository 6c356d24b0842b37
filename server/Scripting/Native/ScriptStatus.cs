namespace Strata.Server.Scripting.Native;

/// <summary>Statuses, as native/include/script.h has them.</summary>
internal static class ScriptStatus
{
    public const int Ok = 0;
    public const int EVersion = 1;
    public const int EArgument = 3;
    public const int EMemory = 4;
    public const int ERaised = 5;
    public const int EStopped = 6;
}
