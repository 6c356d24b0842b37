using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>
/// XREADGROUP of very many streams, in steps: it holds them and looks whether all is right, gives the entries of one
/// after the other, and, where there are none, holds them anew and begins to wait. Others that would change the streams
/// wait until it is done; who only looks may see that some were read by then. What cannot wait may have taken a stream
/// away: then that is as if it had nothing new.
/// </summary>
internal sealed class GroupReadPass : KeyPass
{
    // What it takes to hold a stream's key and find its group, and to give what it has, beside the name and entries.
    private const int EffortOfCheck = 4;
    private const int EffortOfStream = 8;

    private readonly ReadArguments _arguments;
    private readonly WaitSteps? _wait; // Of one that has found nothing, and is to wait.
    private int _checked;
    private int _measured;
    private int _next;
    private int _served;
    private long _entryBytes;
    private long _replyBytes;
    private bool _needsRoom;
    private bool _gives;

    private GroupReadPass(CommandContext context, in ReadArguments arguments, bool waits = false)
        : base(context)
    {
        _arguments = arguments;
        _checked = arguments.FirstKey;
        _measured = arguments.FirstKey;
        _next = arguments.FirstKey;
        _wait = waits ? new WaitSteps(arguments.FirstKey, arguments.KeyCount) : null;
    }

    private int End => _arguments.FirstKey + _arguments.KeyCount;

    /// <inheritdoc/>
    /// <remarks>What was given is not given again; and each stream from which it is changes by it.</remarks>
    private protected override bool IsUnrepeatable => _gives;

    /// <summary>Begins with a command, if it reads very many streams.</summary>
    /// <returns>False when it is to look at all in one go.</returns>
    public static bool Executes(CommandContext context, in ReadArguments arguments)
        => ExecutesOneByOne(context, arguments, static (context, arguments) => new GroupReadPass(context, arguments));

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _wait?.Dispose(); // It has not begun to wait for all, or is to look at them anew.
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        long effort = EffortOfStep(context);
        if (!TryCheck(context, ref effort, out var isRefused))
        {
            return isRefused;
        }

        if (_wait != null)
        {
            var group = KeyWait.NumberOf(context.Argument(_arguments.Group));
            return _wait.TryBlock(
                context, RecordType.Stream, _arguments.TimeoutMs, effort, new StreamWait(group, LastIds: null));
        }

        if (!TryAsk(context, ref effort) || !TryGive(context, ref effort))
        {
            return false;
        }

        if (_served > 0)
        {
            StreamReply.HeadOfMap(Reply, 0, _served);
            context.Reply.TakeFrom(Reply);
            return true;
        }

        if (!_arguments.Blocks)
        {
            context.Reply.NullArray();
            return true;
        }

        context.Session.EndUnfinished();
        context.Session.Unfinished = new GroupReadPass(context, _arguments, waits: true);
        return false;
    }

    /// <summary>Goes on to hold the streams, and looks whether all is right.</summary>
    private bool TryCheck(CommandContext context, ref long effort, out bool isRefused)
    {
        isRefused = false;
        for (; _checked < End; _checked++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = context.KeyAt(_checked);
            effort -= EffortOfCheck + StepEffort.Of(key.Length);
            if (KeyWait.FirstOfGroups(context, key) is { } first)
            {
                context.Session.EndUnfinished();
                KeyWait.LetPass(context, first);
                return false;
            }

            if (!TryHold(context, key))
            {
                return false;
            }

            if (!GroupReading.IsRight(context, _arguments, _checked, out var stream))
            {
                isRefused = true;
                return false;
            }

            if (_wait != null && GroupReading.HasNews(context, _arguments, _checked, stream))
            {
                context.Session.EndUnfinished(); // Something has come meanwhile, and is to be read first.
                return false;
            }

            _entryBytes += stream.EntryBytes;
            _needsRoom |= GroupReading.TakesRoom(context, _arguments, _checked, stream);
        }

        return true;
    }

    /// <summary>Goes on to ask for memory, as far as it is needed, before anything is changed.</summary>
    private bool TryAsk(CommandContext context, ref long effort)
    {
        if (_gives)
        {
            return true;
        }

        for (; _entryBytes > ServerLimits.FreeReplyBytes && _measured < End; _measured++)
        {
            if (effort <= 0)
            {
                return false;
            }

            effort -= EffortOfCheck;
            _replyBytes += GroupReading.ReplyBytesIn(context, _arguments, _measured);
        }

        if (_needsRoom && GroupRoom.IsScarce(context))
        {
            GroupRoom.Ask(context);
        }

        Reply.Ask(_replyBytes);
        Reply.IsRefusable = false;
        _gives = true;
        return true;
    }

    /// <summary>Goes on with the streams' entries.</summary>
    private bool TryGive(CommandContext context, ref long effort)
    {
        for (; _next < End; _next++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var before = Reply.Length;
            _served += GroupReading.TryServe(context, _arguments, _next, Reply) ? 1 : 0;
            effort -= EffortOfStream + StepEffort.Of(Reply.Length - before);
        }

        return true;
    }
}
