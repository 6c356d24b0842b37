using System.Numerics;
using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Scripting;
using Strata.Server.Scripting.Functions;
using Strata.Server.Text;

namespace Strata.Server.Commands.Functions;

/// <summary>FUNCTION LIST</summary>
internal static class FunctionList
{
    public static readonly CommandRow Row = new("list", -2,
        CommandFlags.NoScript, KeySpec.None, Execute)
    {
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Since = "7.0.0",
        IsReport = true,
        Summary = "Tells which libraries there are.",
        Complexity = "O(N) where N is the number of functions",
        Syntax = "[LIBRARYNAME library-name-pattern] [WITHCODE]",
        Tips = ["nondeterministic_output_order"],
    };

    private static void Execute(CommandContext context)
    {
        if (!TryRead(context, out var pattern, out var withCode))
        {
            return;
        }

        var libraries = new List<FunctionLibrary>();
        var glob = context.Argument(pattern);
        foreach (var library in context.Services.Scripts.Functions.Current.Libraries)
        {
            var name = Encoding.Latin1.GetBytes(library.Name);
            if (pattern == 0 || GlobPattern.IsMatch(glob, name, ignoreCase: true))
            {
                libraries.Add(library);
            }
        }

        context.Reply.Array(libraries.Count);
        foreach (var library in libraries)
        {
            Write(context.Reply, library, withCode);
        }
    }

    /// <summary>Reads the options; the pattern is an argument's number, 0 where there is none.</summary>
    private static bool TryRead(CommandContext context, out int pattern, out bool withCode)
    {
        pattern = 0;
        withCode = false;
        for (var i = 2; i < context.Count; i++)
        {
            if (!withCode && context.IsWord(i, "withcode"u8))
            {
                withCode = true;
            }
            else if (pattern == 0 && context.IsWord(i, "libraryname"u8))
            {
                if (++i == context.Count)
                {
                    context.Reply.Error("ERR library name argument was not given"u8);
                    return false;
                }

                pattern = i;
            }
            else
            {
                context.Reply.Error($"ERR Unknown argument {EchoedArgument.Of(context.Argument(i))}");
                return false;
            }
        }

        return true;
    }

    private static void Write(ReplyWriter reply, FunctionLibrary library, bool withCode)
    {
        reply.Map(withCode ? 4 : 3);
        reply.Bulk("library_name"u8);
        reply.Bulk(library.Name);
        reply.Bulk("engine"u8);
        reply.Bulk(FunctionContainer.Engine);
        reply.Bulk("functions"u8);
        reply.Array(library.Functions.Count);
        foreach (var function in library.Functions)
        {
            Write(reply, function);
        }

        if (withCode)
        {
            reply.Bulk("library_code"u8);
            reply.Bulk(library.Code.AsSpan());
        }
    }

    private static void Write(ReplyWriter reply, Function function)
    {
        reply.Map(3);
        reply.Bulk("name"u8);
        reply.Bulk(function.Name);
        reply.Bulk("description"u8);
        if (function.Description == null)
        {
            reply.Null();
        }
        else
        {
            reply.Bulk(function.Description.AsSpan());
        }

        reply.Bulk("flags"u8);
        reply.Set(BitOperations.PopCount((uint)function.Flags));
        foreach (var (flag, name) in Shebang.FlagNames)
        {
            if ((function.Flags & flag) != 0)
            {
                reply.Simple(Encoding.ASCII.GetBytes(name));
            }
        }
    }
}
