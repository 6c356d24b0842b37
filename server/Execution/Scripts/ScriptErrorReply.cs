using System.Text;
using Strata.Server.Resp;
using Strata.Server.Scripting;
using Strata.Server.Scripting.Native;
using Strata.Storage.Memory;

namespace Strata.Server.Execution.Scripts;

/// <summary>Writes what a script has raised, or returned as an error. The script chooses the text, which may be of any
/// length: it is put together in native memory that is charged, never in managed memory.</summary>
internal static unsafe class ScriptErrorReply
{
    private const string NoMemory = "there is no memory for the script's error";

    /// <summary>Writes the error.</summary>
    /// <param name="reply">Where to.</param>
    /// <param name="script">What has raised it.</param>
    /// <param name="error">What is known of it.</param>
    /// <param name="budget">Where memory for a long one is charged.</param>
    public static void Write(
        ReplyWriter reply, Executable script, in NativeScriptError error, MemoryBudget budget)
    {
        var head = error.WantsName != 0 ? $"ERR Error running script {script.Name}, " : "";
        var hasPlace = error.Source.Length > 0 && error.Line >= 0;
        var middle = hasPlace ? $" script: {script.Name}, on " : "";
        var tail = hasPlace ? $":{error.Line}." : "";
        var source = hasPlace ? error.Source.Span : default;
        var length = head.Length + error.Text.Span.Length + middle.Length + source.Length + tail.Length;

        ReplyAllowance.AskForCopy(budget, length, NoMemory);
        var block = default(NativeBlock);
        var charge = new MemoryCharge(budget);
        try
        {
            budget.Buffers.Resize(ref block, ref charge, length);
            var text = new Span<byte>(block.Start, length);
            var rest = text[Encoding.Latin1.GetBytes(head, text)..];
            error.Text.Span.CopyTo(rest);
            rest = rest[error.Text.Span.Length..];
            rest = rest[Encoding.Latin1.GetBytes(middle, rest)..];
            source.CopyTo(rest);
            Encoding.Latin1.GetBytes(tail, rest[source.Length..]);
            Write(reply, text, error, budget);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException(NoMemory, exception);
        }
        finally
        {
            budget.Buffers.Free(ref block, ref charge);
        }
    }

    /// <summary>Writes a text that is whole.</summary>
    public static void Write(
        ReplyWriter reply, ReadOnlySpan<byte> text, in NativeScriptError error, MemoryBudget budget)
    {
        ReplyAllowance.AskForCopy(budget, text.Length, NoMemory);
        if (error.IsOfCommand != 0)
        {
            reply.ErrorAgain(text);
        }
        else
        {
            reply.Error(text);
        }
    }
}
