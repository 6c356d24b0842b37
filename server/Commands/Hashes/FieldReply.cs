using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Hashes;

/// <summary>The fields of a large hash, or their values, or both, as a reply that is made in steps.</summary>
internal sealed class FieldReply : ElementReply
{
    private readonly CollectionWalk _walk = new();
    private readonly bool _withNames;
    private readonly bool _withValues;
    private readonly long _nowMs;
    private long _expected;
    private long _written;

    /// <param name="record">The hash.</param>
    /// <param name="count">How many fields are given; -1 where some have expired.</param>
    /// <param name="withNames">Whether their names are.</param>
    /// <param name="withValues">Whether their values are.</param>
    /// <param name="nowMs">Milliseconds since 1970: fields whose time has come are not given.</param>
    public FieldReply(in Record record, long count, bool withNames, bool withValues, long nowMs)
    {
        _walk.Begin(record);
        (_withNames, _withValues, _nowMs) = (withNames, withValues, nowMs);
        _expected = count;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (_written == 0 && _expected >= 0)
        {
            Write(reply, _expected);
        }

        while (_walk.TryNextLarge(out var field))
        {
            if (field.ExpiryMs < 0 || field.ExpiryMs >= _nowMs)
            {
                _written++;
                HashAccess.Write(reply, field.Name, field.Value, _withNames, _withValues);
                return true;
            }
        }

        return false;
    }

    /// <inheritdoc/>
    public override void WriteHeader(ReplyWriter reply)
    {
        if (_expected < 0)
        {
            var middle = reply.Length;
            Write(reply, _written);
            reply.MoveForward(0, middle);
            _expected = _written;
        }
    }

    private void Write(ReplyWriter reply, long fields)
        => HashAccess.WriteHeader(reply, fields, _withNames && _withValues);
}
