using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Keys;

/// <summary>The words after EXPIRE's time: what the key's present expiry must be for a new one to be set.</summary>
internal struct ExpirationRule
{
    private const int NoExpiry = -1;

    private bool _onlyIfNone;
    private bool _onlyIfSome;
    private bool _onlyIfLater;
    private bool _onlyIfEarlier;

    /// <summary>Reads the words from argument <paramref name="index"/> on; answers Redis's error when one is unknown or
    /// they do not go together.</summary>
    public static bool TryParse(CommandContext context, int index, out ExpirationRule rule)
    {
        rule = default;
        for (; index < context.Count; index++)
        {
            if (!rule.TryWord(context, index))
            {
                context.Reply.Error($"ERR Unsupported option {EchoedArgument.Of(context.Argument(index))}");
                return false;
            }
        }

        if (rule._onlyIfNone && (rule._onlyIfSome || rule._onlyIfLater || rule._onlyIfEarlier))
        {
            context.Reply.Error("ERR NX and XX, GT or LT options at the same time are not compatible"u8);
            return false;
        }

        if (rule._onlyIfLater && rule._onlyIfEarlier)
        {
            context.Reply.Error("ERR GT and LT options at the same time are not compatible"u8);
            return false;
        }

        return true;
    }

    /// <summary>Whether an expiry may be replaced by another (milliseconds since 1970). No expiry, -1 as present value,
    /// is later than any.</summary>
    public readonly bool Allows(long presentMs, long newMs)
    {
        var hasNone = presentMs == NoExpiry;
        return (!_onlyIfNone || hasNone)
            && (!_onlyIfSome || !hasNone)
            && (!_onlyIfLater || (!hasNone && newMs > presentMs))
            && (!_onlyIfEarlier || hasNone || newMs < presentMs);
    }

    /// <summary>Adds a word to the rule.</summary>
    /// <returns>False when it is none that rules know.</returns>
    public bool TryWord(CommandContext context, int index)
    {
        if (context.IsWord(index, "nx"u8))
        {
            _onlyIfNone = true;
        }
        else if (context.IsWord(index, "xx"u8))
        {
            _onlyIfSome = true;
        }
        else if (context.IsWord(index, "gt"u8))
        {
            _onlyIfLater = true;
        }
        else if (context.IsWord(index, "lt"u8))
        {
            _onlyIfEarlier = true;
        }
        else
        {
            return false;
        }

        return true;
    }
}
