using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Observation;

/// <summary>Answers STRATA CURVE of a part of the keys: of those that the client may be told of.</summary>
internal sealed class CurvePass : ReportPass
{
    private const int Fields = CurveReply.CommonFields + 4;
    private const int EffortPerKey = 16;

    private readonly CurveRequest _request;
    private readonly CurveKeeper _keeper;
    private readonly PartCurve _curve;
    private readonly TellableKeys _keys;
    private int _next;
    private int _nextHot;

    public CurvePass(CommandContext context, in CurveRequest request)
    {
        _request = request;
        _keeper = context.Services.Curve;
        _keys = new TellableKeys(context, StrataCurve.Row);
        var database = request.Database < 0 ? -1 : context.Server.Databases.PhysicalOf(request.Database);
        _curve = _keeper.PartOf(database, request.Prefix ?? []);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        for (; _next < _keeper.NamedKeys; effort -= EffortPerKey + _keys.EffortPerKey)
        {
            if (effort <= 0)
            {
                return false;
            }

            _curve.Add(_next++, _keys.Has);
        }

        for (; _nextHot < _keeper.HotKeys.Length; effort -= _keys.EffortPerKey)
        {
            if (effort <= 0)
            {
                return false;
            }

            if (_keeper.HotKeys[_nextHot++] is { } hot)
            {
                _curve.AddHot(hot, _keys.Has);
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply)
    {
        reply.Map(Fields);
        CurveReply.WriteKeeper(reply, _keeper);
        reply.Bulk("db"u8);
        if (_request.Database < 0)
        {
            reply.Null();
        }
        else
        {
            reply.Integer(_request.Database);
        }

        reply.Bulk("prefix"u8);
        reply.Bulk(_request.Prefix ?? []);
        reply.Bulk("keys"u8);
        reply.Integer(_curve.Keys);
        reply.Bulk("reads-ratio"u8);
        CurveReply.WriteRatio(reply, _curve.ReadsRatio);
        CurveReply.WriteCurves(reply, _keeper.MemoryBytes, _curve.Hour, _curve.Day);
    }
}
