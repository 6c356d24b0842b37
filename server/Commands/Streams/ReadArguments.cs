using Strata.Server.Clients;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;

namespace Strata.Server.Commands.Streams;

/// <summary>The arguments of XREAD and XREADGROUP: options, STREAMS, keys, and an id for each of these.</summary>
internal struct ReadArguments
{
    /// <summary>Where the keys of XREAD are.</summary>
    public static readonly HalfKeys Keys = new("STREAMS", 1, FindStreams);

    /// <summary>Where those of XREADGROUP are, of which COMMAND INFO says that a group may be called streams.</summary>
    public static readonly HalfKeys KeysOfGroup = new("STREAMS", 4, FindStreams);

    /// <summary>Index of the first key.</summary>
    public int FirstKey { get; private set; }

    /// <summary>Number of keys; the ids are as many arguments behind them.</summary>
    public int KeyCount { get; private set; }

    /// <summary>The most entries of each stream; 0 for any number.</summary>
    public long Count { get; private set; }

    /// <summary>Whether it waits where there is nothing.</summary>
    public bool Blocks { get; private set; }

    /// <summary>How long it waits, milliseconds; 0 for ever.</summary>
    public long TimeoutMs { get; private set; }

    /// <summary>Index of the group's name, behind which is the consumer's; 0 for none.</summary>
    public int Group { get; private set; }

    /// <summary>Whether what is read does not become pending.</summary>
    public bool IsAcknowledged { get; private set; }

    /// <summary>Index of the id for a key.</summary>
    public readonly int IdOf(int key) => key + KeyCount;

    /// <summary>Reads the arguments. An error is answered.</summary>
    /// <param name="context">The command.</param>
    /// <param name="ofGroup">Whether it is XREADGROUP.</param>
    /// <param name="arguments">What was read.</param>
    public static bool TryParse(CommandContext context, bool ofGroup, out ReadArguments arguments)
    {
        arguments = default;
        for (var i = 1; i < context.Count && arguments.FirstKey == 0; i++)
        {
            if (!arguments.TryOption(context, ofGroup, ref i))
            {
                return false;
            }
        }

        if (arguments.FirstKey == 0)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        if (ofGroup && arguments.Group == 0)
        {
            context.Reply.Error("ERR Missing GROUP option for XREADGROUP"u8);
            return false;
        }

        return true;
    }

    /// <summary>Finds STREAMS as the command does; 0 where it is not met.</summary>
    private static int FindStreams(Request request)
    {
        for (var i = 1; i + 1 < request.Count; i++)
        {
            var word = request[i];
            if (NumberParser.IsWord(word, "streams"u8))
            {
                return i;
            }

            var values = NumberParser.IsWord(word, "block"u8) || NumberParser.IsWord(word, "count"u8) ? 1
                : NumberParser.IsWord(word, "group"u8) && i + 2 < request.Count ? 2
                : NumberParser.IsWord(word, "noack"u8) ? 0
                : -1;
            if (values < 0)
            {
                return 0;
            }

            i += values;
        }

        return 0;
    }

    private bool TryOption(CommandContext context, bool ofGroup, ref int i)
    {
        var behind = context.Count - i - 1;
        if (behind > 0 && context.IsWord(i, "streams"u8))
        {
            return TryKeys(context, ofGroup, i + 1);
        }

        if (behind > 0 && context.IsWord(i, "count"u8))
        {
            var isRead = context.TryInteger(++i, out var count);
            Count = Math.Max(0, count);
            return isRead;
        }

        if (behind > 0 && context.IsWord(i, "block"u8))
        {
            if (context.IsInTransaction && context.Services.Scripts.Of(context.Session.Worker.Number).Current != 0)
            {
                var verb = EchoedArgument.Of(context.Argument(0));
                context.Reply.Error($"ERR {verb} command is not allowed with BLOCK option from scripts");
                return false;
            }

            Blocks = true;
            var isRead = BlockingTimeout.TryReadMilliseconds(context, ++i, out var timeoutMs);
            TimeoutMs = timeoutMs;
            return isRead;
        }

        if (behind > 1 && context.IsWord(i, "group"u8))
        {
            Group = i + 1;
            i += 2;
            return ofGroup || Refuse(
                context, "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead."u8);
        }

        if (context.IsWord(i, "noack"u8))
        {
            IsAcknowledged = true;
            return ofGroup || Refuse(
                context, "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead."u8);
        }

        return Refuse(context, Errors.Syntax);
    }

    private bool TryKeys(CommandContext context, bool ofGroup, int first)
    {
        var names = context.Count - first;
        if (names % 2 != 0)
        {
            var (command, sign) = ofGroup ? ("xreadgroup", '>') : ("xread", '$');
            context.Reply.Error(
                $"ERR Unbalanced '{command}' list of streams: for each stream key an ID or '{sign}' must be "
                + "specified.");
            return false;
        }

        FirstKey = first;
        KeyCount = names / 2;
        return true;
    }

    private static bool Refuse(CommandContext context, ReadOnlySpan<byte> error)
    {
        context.Reply.Error(error);
        return false;
    }
}
