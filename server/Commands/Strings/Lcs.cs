using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Strings;

/// <summary>LCS key1 key2 [LEN] [IDX] [MINMATCHLEN length] [WITHMATCHLEN]</summary>
internal static class Lcs
{
    /// <summary>What one pair of bytes counts against <c>proto-max-bulk-len</c>: as much as it takes in Redis, so that
    /// the same strings are refused. Here it takes a bit, unless the second string is very short.</summary>
    private const int CellBytes = 4;

    public static readonly CommandRow Row = new("lcs", -3, CommandFlags.ReadOnly,
        new KeySpec(1, 2, 1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "7.0.0",
        Summary = "Gives the longest common subsequence of two strings, its length, or where it is.",
        Complexity = "O(N*M) for strings of N and M bytes",
        Syntax = "key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]",
    };

    private static void Execute(CommandContext context)
    {
        var first = context.ReadString(context.KeyAt(1), out var firstRecord);
        var second = context.ReadString(context.KeyAt(2), out var secondRecord);
        if (first == Lookup.WrongType || second == Lookup.WrongType)
        {
            context.Reply.Error("ERR The specified keys must contain string values"u8);
            return;
        }

        if (!LcsOptions.TryParse(context, 3, out var options))
        {
            return;
        }

        var cells = (UInt128)(firstRecord.ValueLength + 1L) * (ulong)(secondRecord.ValueLength + 1L);
        if (cells * CellBytes > (ulong)context.Server.Configuration.Current.ProtoMaxBulkLengthBytes)
        {
            context.Reply.Error(
                "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"u8);
            return;
        }

        var a = first == Lookup.Found ? firstRecord.Value : default;
        var b = second == Lookup.Found ? secondRecord.Value : default;
        if (options.LengthOnly)
        {
            context.Reply.Integer(LongestCommonSubsequence.Length(a, b));
            return;
        }

        var subsequence = LongestCommonSubsequence.Find(a, b);
        if (options.Indexes)
        {
            ReplyMatches(context.Reply, subsequence, options);
        }
        else
        {
            ReplyText(context.Reply, subsequence, a);
        }
    }

    private static void ReplyMatches(ReplyWriter reply, LongestCommonSubsequence subsequence, in LcsOptions options)
    {
        var minLength = options.MinMatchLength;
        reply.Map(2);
        reply.Bulk("matches"u8);
        reply.Array(subsequence.Matches.Count(match => match.Length >= minLength));
        foreach (var match in subsequence.Matches)
        {
            if (match.Length < minLength)
            {
                continue;
            }

            reply.Array(options.WithMatchLength ? 3 : 2);
            reply.Array(2);
            reply.Integer(match.FirstStart);
            reply.Integer(match.FirstStart + match.Length - 1);
            reply.Array(2);
            reply.Integer(match.SecondStart);
            reply.Integer(match.SecondStart + match.Length - 1);
            if (options.WithMatchLength)
            {
                reply.Integer(match.Length);
            }
        }

        reply.Bulk("len"u8);
        reply.Integer(subsequence.TotalLength);
    }

    private static void ReplyText(ReplyWriter reply, LongestCommonSubsequence subsequence, ReadOnlySpan<byte> a)
    {
        var text = new byte[subsequence.TotalLength];
        var end = text.Length;
        foreach (var match in subsequence.Matches)
        {
            end -= match.Length;
            a.Slice(match.FirstStart, match.Length).CopyTo(text.AsSpan(end));
        }

        reply.Bulk(text);
    }
}
