using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Messaging;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.PubSub;

/// <summary>The names of channels with subscribers: all, or those that match a pattern. One that comes or goes while
/// others have their turn may be among them.</summary>
internal sealed class ChannelsPass : ReportPass
{
    private ChainTable<Channel>.Enumerator _channels;
    private Channel? _channel;
    private GlobMatch _match;
    private int _written;

    public ChannelsPass(ChannelDirectory directory)
    {
        _channels = directory.GetEnumerator();
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context, long effort)
    {
        var left = GlobMatch.EffortOf(effort);
        while (_channel != null || _channels.MoveNext())
        {
            if (_channel == null)
            {
                _channel = _channels.Current.Item;
                _match = default;
                left -= GlobMatch.EffortOf(StepEffort.Of(_channel.Name.Length));
            }

            if (left <= 0 || Matches(context, _channel.Name, ref left) is not { } matches)
            {
                return false;
            }

            if (matches)
            {
                context.Reply.Bulk(_channel.Name);
                _written++;
            }

            _channel = null;
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void WriteHeader(ReplyWriter reply) => reply.Array(_written);

    private bool? Matches(CommandContext context, ReadOnlySpan<byte> name, ref long left)
        => context.Count == 2 ? true
            : name.IsEmpty ? GlobPattern.IsMatch(context.Argument(2), name)
            : _match.Go(context.Argument(2), name, ignoreCase: false, ref left);
}
