using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>XREAD of very many streams, or of many entries, in steps: it holds the streams and looks whether all is
/// right, makes the reply, and, where there is nothing, begins to wait.</summary>
internal sealed class XReadPass : KeyPass
{
    // What it takes to hold a stream's key and look it up, beside its name.
    private const int EffortOfKey = 2;

    private readonly ReadArguments _arguments;
    private readonly StreamId[]? _lastIds; // When it begins to wait, where that may come.
    private readonly WaitSteps _wait;
    private StreamCursor _entries;
    private bool _isOpen;
    private bool _isLarge;
    private int _checked;
    private int _next;
    private int _start;
    private long _written;
    private int _served;

    private XReadPass(CommandContext context, in ReadArguments arguments, int checkedTo)
        : base(context)
    {
        _arguments = arguments;
        _checked = checkedTo;
        _next = arguments.FirstKey;
        _wait = new WaitSteps(arguments.FirstKey, arguments.KeyCount);
        _lastIds = checkedTo < End && arguments.Blocks ? new StreamId[arguments.KeyCount] : null;
    }

    private int End => _arguments.FirstKey + _arguments.KeyCount;

    /// <summary>Begins with a command, if it reads very many streams.</summary>
    /// <returns>False when it is to look at all in one go.</returns>
    public static bool Executes(CommandContext context, in ReadArguments arguments)
        => ExecutesOneByOne(
            context, arguments, static (context, arguments) => new XReadPass(context, arguments, arguments.FirstKey));

    /// <summary>Begins to answer, where all is right.</summary>
    public static void Begin(CommandContext context, in ReadArguments arguments)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        var keys = new Key[arguments.KeyCount];
        for (var i = 0; i < keys.Length; i++)
        {
            keys[i] = context.KeyAt(arguments.FirstKey + i);
        }

        Begin(context, new XReadPass(context, arguments, arguments.FirstKey + arguments.KeyCount), keys);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _wait.Dispose(); // It has not begun to wait for all, or is to look at them anew.
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        long effort = EffortOfStep(context);
        for (; _checked < End; _checked++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = context.KeyAt(_checked);
            effort -= EffortOfKey + StepEffort.Of(key.Length);
            if (!TryHold(context, key))
            {
                return false;
            }

            if (!XRead.IsRight(context, _arguments, _checked))
            {
                return true;
            }

            if (_lastIds != null)
            {
                _lastIds[_checked - _arguments.FirstKey] = XRead.LastIdOf(context, key);
            }
        }

        if (!TryRead(context, ref effort))
        {
            return false;
        }

        if (_served == 0)
        {
            return TryWait(context, effort);
        }

        StreamReply.HeadOfMap(Reply, 0, _served);
        context.Reply.TakeFrom(Reply);
        return true;
    }

    /// <summary>Goes on with the reply.</summary>
    private bool TryRead(CommandContext context, ref long effort)
    {
        while (_next < End)
        {
            if (effort <= 0)
            {
                return false;
            }

            if (!_isOpen)
            {
                effort -= EffortOfKey;
                _isOpen = XRead.TryOpen(context, _arguments, _next, out _entries, out _isLarge);
                if (!context.HasSeenAll)
                {
                    _isOpen = false;
                    return false;
                }

                if (!_isOpen)
                {
                    _next++;
                    continue;
                }

                XRead.BeginStream(Reply, context.Argument(_next));
                _start = Reply.Length;
            }

            if (!TryWrite(ref effort))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Goes on with a stream's entries. A packed one is small, and may lie elsewhere in the next step.
    /// </summary>
    private bool TryWrite(ref long effort)
    {
        while ((_arguments.Count == 0 || _written < _arguments.Count) && _entries.TryNext())
        {
            StreamReply.Entry(Reply, ref _entries);
            _written++;
            effort -= StepEffort.Of(_entries.EntryBytes);
            if (effort <= 0 && _isLarge)
            {
                return false;
            }
        }

        StreamReply.Head(Reply, _start, _written);
        _next++;
        _served++;
        _written = 0;
        _isOpen = false;
        return true;
    }

    /// <summary>Goes on to wait for the streams, none of which has anything, or answers that.</summary>
    private bool TryWait(CommandContext context, long effort)
    {
        if (!_arguments.Blocks)
        {
            context.Reply.NullArray();
            return true;
        }

        return _wait.TryBlock(
            context, RecordType.Stream, _arguments.TimeoutMs, effort, new StreamWait(Group: 0, _lastIds));
    }
}
