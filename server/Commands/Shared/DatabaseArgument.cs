using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Shared;

/// <summary>A database's number as an argument.</summary>
internal static class DatabaseArgument
{
    /// <summary>Reads the number; answers Redis's error when it is none or there is no such database.</summary>
    public static bool TryRead(CommandContext context, int index, out int database)
    {
        database = 0;
        if (!context.TryInteger(index, out var number))
        {
            return false;
        }

        if (number is < int.MinValue or > int.MaxValue)
        {
            context.Reply.Error($"ERR value is out of range, value must between {int.MinValue} and {int.MaxValue}");
            return false;
        }

        if (number < 0 || number >= context.Server.Databases.Count)
        {
            context.Reply.Error(Errors.DatabaseOutOfRange);
            return false;
        }

        database = (int)number;
        return true;
    }

    /// <summary>Reads the number without an answer.</summary>
    public static bool TryParse(CommandContext context, int index, out int database)
    {
        var isNumber = NumberParser.TryParseInt64(context.Argument(index), out var number);
        database = (int)number;
        return isNumber && number >= 0 && number < context.Server.Databases.Count;
    }
}
