using System.Text;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Server;

/// <summary>DEBUG PROTOCOL type: a reply of each type of RESP, with the values that clients' own tests know from Redis.
/// </summary>
internal static class DebugProtocol
{
    private const int Items = 3;

    private static ReadOnlySpan<byte> BigNumber => "1234567999999999999999999999999999999"u8;

    public static void Execute(CommandContext context)
    {
        var reply = context.Reply;
        switch (Encoding.Latin1.GetString(context.Argument(2)).ToLowerInvariant())
        {
            case "string":
                reply.Bulk("Hello World"u8);
                break;
            case "integer":
                reply.Integer(12345);
                break;
            case "double":
                reply.Double(3.141);
                break;
            case "null":
                reply.Null();
                break;
            case "true":
                reply.Boolean(true);
                break;
            case "false":
                reply.Boolean(false);
                break;
            case "verbatim":
                reply.Verbatim("txt"u8, "This is a verbatim\nstring"u8);
                break;
            case "array":
                reply.Array(Items);
                WriteNumbers(reply);
                break;
            case "set":
                reply.Set(Items);
                WriteNumbers(reply);
                break;
            case "map":
                WriteMap(reply);
                break;
            default:
                WriteOfResp3(context);
                break;
        }
    }

    /// <summary>What RESP2 has no type for.</summary>
    private static void WriteOfResp3(CommandContext context)
    {
        var reply = context.Reply;
        if (context.IsWord(2, "bignum"u8))
        {
            WriteBigNumber(reply);
        }
        else if (context.IsWord(2, "attrib"u8))
        {
            WriteAttribute(reply);
        }
        else if (!context.IsWord(2, "push"u8))
        {
            reply.Error("ERR Wrong protocol type name. Please use one of the following: "u8
                + "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false"u8);
        }
        else if (reply.Protocol < 3)
        {
            reply.Error("ERR RESP2 is not supported by this command"u8);
        }
        else
        {
            reply.Push(2);
            reply.Bulk("server-cpu-usage"u8);
            reply.Integer(42);
            reply.Bulk("Some real reply following the push reply"u8);
        }
    }

    private static void WriteNumbers(ReplyWriter reply)
    {
        for (var i = 0; i < Items; i++)
        {
            reply.Integer(i);
        }
    }

    private static void WriteMap(ReplyWriter reply)
    {
        reply.Map(Items);
        for (var i = 0; i < Items; i++)
        {
            reply.Integer(i);
            reply.Boolean(i == 1);
        }
    }

    private static void WriteBigNumber(ReplyWriter reply)
    {
        if (reply.Protocol < 3)
        {
            reply.Bulk(BigNumber);
            return;
        }

        reply.Raw("("u8);
        reply.Raw(BigNumber);
        reply.Raw("\r\n"u8);
    }

    private static void WriteAttribute(ReplyWriter reply)
    {
        if (reply.Protocol >= 3)
        {
            reply.Raw("|1\r\n"u8);
            reply.Bulk("key-popularity"u8);
            reply.Array(2);
            reply.Bulk("key:123"u8);
            reply.Integer(90);
        }

        reply.Bulk("Some real reply following the attribute"u8);
    }
}
