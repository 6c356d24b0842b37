using Strata.Server.Commands.Model;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Changes;

/// <summary>Lets commands run out of memory: while a handler is executed, and on its thread, memory is refused as the
/// test says. What workers do between commands always gets some.</summary>
internal sealed class RefusedMemory
{
    [ThreadStatic]
    private static bool s_isInHandler;

    /// <summary>Says of each piece of memory that a command is about to take whether there is none.</summary>
    public Func<bool>? Refuses { get; set; }

    /// <summary>How often memory was refused.</summary>
    public int Refusals { get; private set; }

    /// <summary>A row whose handler may run out of memory.</summary>
    public static CommandRow Wrap(CommandRow row) => !row.Keys.AreKeys ? row : row.With(context =>
    {
        s_isInHandler = true;
        try
        {
            row.Handler(context);
        }
        finally
        {
            s_isInHandler = false;
        }
    });

    /// <summary>Decides about a server's memory from now on.</summary>
    public void Attach(MemoryBudget budget) => budget.Refuses = _ =>
    {
        var refuses = s_isInHandler && Refuses?.Invoke() == true;
        Refusals += refuses ? 1 : 0;
        return refuses;
    };
}
