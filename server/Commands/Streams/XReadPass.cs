using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>Many entries of several streams as a reply that is made in steps.</summary>
internal sealed class XReadPass : KeyPass
{
    private readonly ReadArguments _arguments;
    private StreamCursor _entries;
    private bool _isOpen;
    private bool _isLarge;
    private int _next;
    private int _start;
    private long _written;
    private int _served;

    private XReadPass(CommandContext context, in ReadArguments arguments)
        : base(context)
    {
        _arguments = arguments;
        _next = arguments.FirstKey;
    }

    /// <summary>Begins to answer.</summary>
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

        Begin(context, new XReadPass(context, arguments), keys);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        for (long effort = EffortOfStep(context); _next < _arguments.FirstKey + _arguments.KeyCount;)
        {
            if (!_isOpen)
            {
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

        StreamReply.HeadOfMap(Reply, 0, _served);
        context.Reply.TakeFrom(Reply);
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
        return effort > 0;
    }
}
