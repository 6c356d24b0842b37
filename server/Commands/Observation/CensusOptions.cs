using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Diagnostics.Keyspace;

namespace Strata.Server.Commands.Observation;

/// <summary>The options of STRATA PREFIXES and STRATA BIGKEYS.</summary>
internal static class CensusOptions
{
    /// <summary>Reads them, or answers what is wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="hasRule">Whether SEP and DEPTH are some.</param>
    /// <param name="request">What is asked for.</param>
    public static bool TryParse(CommandContext context, bool hasRule, out PrefixesRequest request)
    {
        var separator = PrefixRule.Usual.Separator;
        var (depth, count, database) = (1L, TrafficLimits.PrefixesTold, -1);
        request = default;
        for (var i = 2; i < context.Count; i += 2)
        {
            if (i + 1 == context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (hasRule && context.IsWord(i, "sep"u8))
            {
                separator = context.Argument(i + 1);
                if (separator.Length is 0 or > TrafficLimits.LongestSeparator)
                {
                    context.Reply.Error("ERR SEP should have 1 to 16 bytes"u8);
                    return false;
                }
            }
            else if (hasRule && context.IsWord(i, "depth"u8))
            {
                if (!PositiveArgument.TryRead(
                    context, i + 1, "ERR DEPTH should be greater than 0"u8, out depth, int.MaxValue))
                {
                    return false;
                }
            }
            else if (context.IsWord(i, "count"u8))
            {
                if (!PositiveArgument.TryReadCount(context, i + 1, out count))
                {
                    return false;
                }
            }
            else if (!context.IsWord(i, "db"u8))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
            else if (!TryDatabase(context, i + 1, out database))
            {
                return false;
            }
        }

        request = new PrefixesRequest(new PrefixRule(separator.ToArray(), (int)depth), database, count);
        return true;
    }

    private static bool TryDatabase(CommandContext context, int index, out int database)
    {
        if (DatabaseArgument.TryParse(context, index, out var number))
        {
            database = context.Server.Databases.PhysicalOf(number);
            return true;
        }

        database = -1;
        context.Reply.Error(Errors.DatabaseOutOfRange);
        return false;
    }
}
