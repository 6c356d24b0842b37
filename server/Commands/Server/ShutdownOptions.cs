using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>The arguments of SHUTDOWN.</summary>
internal readonly record struct ShutdownOptions(bool Save, bool NoSave, bool Force, bool Abort)
{
    /// <summary>Reads them; false when one is unknown or two contradict each other.</summary>
    public static bool TryParse(CommandContext context, out ShutdownOptions options)
    {
        var (save, noSave, now, force, abort) = (false, false, false, false, false);
        options = default;
        for (var i = 1; i < context.Count; i++)
        {
            var noSaveHere = context.IsWord(i, "nosave"u8);
            var saveHere = context.IsWord(i, "save"u8);
            var nowHere = context.IsWord(i, "now"u8);
            var forceHere = context.IsWord(i, "force"u8);
            var abortHere = context.IsWord(i, "abort"u8);
            if (!(noSaveHere || saveHere || nowHere || forceHere || abortHere))
            {
                return false;
            }

            noSave |= noSaveHere;
            save |= saveHere;
            now |= nowHere;
            force |= forceHere;
            abort |= abortHere;
        }

        options = new ShutdownOptions(save, noSave, force, abort);
        return !(save && noSave) && !(abort && (save || noSave || now || force));
    }
}
