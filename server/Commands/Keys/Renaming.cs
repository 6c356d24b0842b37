using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Keys;

/// <summary>What RENAME and RENAMENX do.</summary>
internal static class Renaming
{
    /// <summary>How the commands differ from Redis's.</summary>
    public const string Differs =
        "A collection of 2 GB or more in its packed form is refused when the two keys are in different shards.";

    /// <summary>Moves the first key's value and expiry to the second key.</summary>
    public static void Execute(CommandContext context, bool onlyIfMissing)
    {
        var source = context.KeyAt(1);
        var destination = context.KeyAt(2);
        if (!context.TryWrite(source, out var record))
        {
            context.Reply.Error(Errors.NoSuchKey);
            return;
        }

        var isSame = source.Span.SequenceEqual(destination.Span);
        if (context.TryWrite(destination, out var existing) && onlyIfMissing)
        {
            context.Reply.Integer(0);
            return;
        }

        if (!isSame && !CopyPass.TryMove(
            context, source, record, destination, existing, KeyEvent.RenameFrom, KeyEvent.RenameTo))
        {
            return;
        }

        if (onlyIfMissing)
        {
            context.Reply.Integer(1);
        }
        else
        {
            context.Reply.Ok();
        }
    }
}
