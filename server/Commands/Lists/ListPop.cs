using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>What LPOP and RPOP do.</summary>
internal static class ListPop
{
    public static void Execute(CommandContext context, ListEnd end)
    {
        if (context.Count > 3)
        {
            context.Reply.Error($"ERR wrong number of arguments for '{context.Row.FullName}' command");
        }
        else if (context.Count == 3)
        {
            PopSeveral(context, end);
        }
        else
        {
            switch (ListAccess.Edit(context, context.Key, out var list))
            {
                case Lookup.Found:
                    ListAccess.Pop(context, ref list, end);
                    break;
                case Lookup.Missing:
                    context.Reply.Null();
                    break;
            }
        }
    }

    private static void PopSeveral(CommandContext context, ListEnd end)
    {
        if (!NumberParser.TryParseInt64(context.Argument(2), out var count) || count < 0)
        {
            context.Reply.Error(Errors.NotPositive);
            return;
        }

        switch (ListAccess.Edit(context, context.Key, out var list))
        {
            case Lookup.Found when count == 0:
                context.Reply.Array(0);
                break;
            case Lookup.Found:
                ListAccess.Pop(context, ref list, end, count);
                break;
            case Lookup.Missing:
                context.Reply.NullArray();
                break;
        }
    }
}
