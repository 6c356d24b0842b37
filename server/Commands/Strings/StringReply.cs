using Strata.Server.Commands.Model;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Strings;

/// <summary>What GET answers, for the commands that answer it before they change the key.</summary>
internal static class StringReply
{
    /// <summary>Reads the command's key and answers its value, or null; a key of another type gets an error.</summary>
    /// <returns>False after an error.</returns>
    public static bool TryWrite(CommandContext context, out Record record)
    {
        switch (context.ReadString(context.Key, out record))
        {
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
