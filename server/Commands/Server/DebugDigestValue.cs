using Strata.Server.Commands.Model;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG DIGEST-VALUE key [key ...]: the digest of each key's value, zeros where there is none.</summary>
internal static class DebugDigestValue
{
    private const int FirstKey = 2;

    public static void Execute(CommandContext context)
    {
        var walk = new CollectionWalk();
        Span<byte> value = stackalloc byte[Digest.Bytes];
        Span<byte> text = stackalloc byte[2 * Digest.Bytes];
        using var refusable = context.Reply.Refusable();
        context.Reply.Array(context.Count - FirstKey);
        for (var i = FirstKey; i < context.Count; i++)
        {
            value.Clear();
            if (context.TryPeek(context.KeyAt(i), out var record))
            {
                ValueDigest.Add(new Digest(value), record, walk);
            }

            _ = Convert.TryToHexStringLower(value, text, out _);
            context.Reply.Simple(text);
        }
    }

    /// <summary>The shards of the keys.</summary>
    public static void AddShards(CommandContext context, IShardSet shards)
    {
        for (var i = FirstKey; i < context.Count; i++)
        {
            shards.Add(context.KeyAt(i));
        }
    }
}
