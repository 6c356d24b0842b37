using Strata.Tests.Support;

namespace Strata.Tests.Simulation;

/// <summary>Replies as one line of text each, which a model's answer can be compared with. Of errors only the code
/// counts.</summary>
internal static class ReplyText
{
    public const string Null = "nil";
    public const string Ok = "+OK";
    public const string WrongType = "-WRONGTYPE";

    private static readonly string[] s_refusals = ["-OOM", "-MISCONF", "-IOERR", "-EXECABORT"];

    public static string Of(RespValue reply) => reply.IsNull
        ? Null
        : reply.Kind switch
        {
            RespKind.SimpleString => "+" + reply.Text,
            RespKind.Error => "-" + reply.Text.Split(' ')[0],
            RespKind.Integer => ":" + reply.Text,
            RespKind.BulkString => "$" + reply.Text,
            _ => Array(reply.Items.Select(Of)),
        };

    public static string Array(IEnumerable<string> items) => $"[{string.Join(' ', items)}]";

    /// <summary>Text for people, without what fills large values.</summary>
    public static string Shorten(string text) => System.Text.RegularExpressions.Regex.Replace(text, "x{4,}", "xxx...");

    /// <summary>Whether a reply says that memory or the disk was short, so that nothing was changed.</summary>
    public static bool IsRefusal(string reply) => s_refusals.Contains(reply);
}
