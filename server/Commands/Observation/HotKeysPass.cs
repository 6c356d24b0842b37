using System.Text;
using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Observation;

/// <summary>Answers STRATA HOTKEYS.</summary>
internal sealed class HotKeysPass : ReportPass
{
    private const int FieldsOfKey = 7;

    private readonly HotKeyList _list;
    private readonly HotKeyMeasure _measure;
    private readonly TellableKeys _keys;
    private readonly int _count;
    private int _next;
    private int _told;

    public HotKeysPass(CommandContext context, HotKeyMeasure measure, int count)
    {
        _measure = measure;
        _count = count;
        _list = context.Services.HotKeys(measure);
        _keys = new TellableKeys(context, StrataHotKeys.Row);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        for (; _next < _list.Keys.Count && _told < _count; effort -= _keys.EffortPerKey)
        {
            if (effort <= 0)
            {
                return false;
            }

            var key = _list.Keys[_next++];
            if (_keys.Has(key.Bytes, key.IsWhole))
            {
                Write(context, context.Reply, key);
                _told++;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply)
    {
        reply.Map(4);
        reply.Bulk("measure"u8);
        reply.Bulk(Encoding.ASCII.GetBytes(_measure.ToString().ToLowerInvariant()));
        reply.Bulk("half-life-seconds"u8);
        reply.Integer((long)TrafficLimits.HotKeyHalfLife.TotalSeconds);
        reply.Bulk("total-per-second"u8);
        reply.Double(Rounded(_list.TotalPerSecond));
        reply.Bulk("keys"u8);
        reply.Array(_told);
    }

    private static double Rounded(double rate) => Math.Round(rate, rate < 1000 ? 2 : 0);

    private void Write(CommandContext context, ReplyWriter reply, HotKey key)
    {
        reply.Map(FieldsOfKey);
        reply.Bulk("key"u8);
        reply.Bulk(key.Bytes);
        reply.Bulk("db"u8);
        reply.Integer(context.Server.Databases.LogicalOf(key.Database));
        reply.Bulk("length"u8);
        reply.Integer(key.Length);
        reply.Bulk("per-second"u8);
        reply.Double(Rounded(key.PerSecond));
        reply.Bulk("at-least"u8);
        reply.Double(Rounded(key.AtLeast));
        reply.Bulk("at-most"u8);
        reply.Double(Rounded(key.AtMost));
        reply.Bulk("share"u8);
        reply.Double(Math.Round(key.PerSecond / _list.TotalPerSecond, 4));
    }
}
