using Strata.Server.Commands.Model;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>What GET answers, for the commands that answer it before they change the key.</summary>
internal static class StringReply
{
    /// <summary>Reads the command's key and answers its value, or null; a key of another type gets an error.</summary>
    /// <param name="context">The command.</param>
    /// <param name="record">The key's record, or a null one.</param>
    /// <param name="isRefusable">Whether a command that writes is to be refused where memory has no room for the value
    /// twice: not one that gives it up.</param>
    /// <returns>False after an error.</returns>
    public static bool TryWrite(CommandContext context, out Record record, bool isRefusable = false)
    {
        switch (context.ReadString(context.Key, out record))
        {
            case Lookup.Found when isRefusable:
                using (context.Reply.Refusable())
                {
                    context.Reply.Bulk(record.Value);
                }

                return true;
            case Lookup.Found:
                context.Reply.Bulk(record.Value);
                return true;
            case Lookup.WrongType:
                context.Reply.Error(Errors.WrongType);
                return false;
            default:
                context.Reply.Null();
                return true;
        }
    }
}
