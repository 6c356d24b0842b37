using Strata.Server.Messaging;

namespace Strata.Server.Clients.Access;

/// <summary>Has the sessions of one worker follow a change of users: their rights at once, and whether they may stay
/// subscribed to what they are in steps. Worker's thread only.</summary>
internal sealed class UserChange
{
    private const int ChecksAtOnce = 256;

    private readonly Session _asking;
    private readonly Queue<Session> _subscribers = new();
    private readonly Queue<(ChannelKind Kind, Channel Channel)> _channels = new();

    private UserChange(ClientWorker worker, Session asking)
    {
        _asking = asking;
        var gone = new List<Session>();
        foreach (var session in worker.Sessions)
        {
            session.FollowUser();
            if (session.User.IsDeleted)
            {
                gone.Add(session);
            }
            else if (session is { IsSubscriber: true, Restriction: not null })
            {
                _subscribers.Enqueue(session);
            }
        }

        gone.ForEach(Close);
    }

    /// <summary>Whether the client that has changed the users is closed when it has been answered.</summary>
    public bool ClosesAsking { get; private set; }

    /// <summary>Tells all workers of a change, and answers when all have followed it.</summary>
    /// <param name="session">The session that has made it.</param>
    /// <param name="answer">Writes the reply.</param>
    public static void Spread(Session session, Action<Resp.ReplyWriter> answer)
        => session.AskWorkers(
            worker => new UserChange(worker, session),
            static change => change.CheckSome(),
            (reply, changes) =>
            {
                answer(reply);
                session.ClosesAfterReply |= changes.Any(static change => change.ClosesAsking);
            });

    /// <summary>Looks at some of the subscriptions.</summary>
    /// <returns>Whether there are more.</returns>
    private bool CheckSome()
    {
        for (var i = 0; i < ChecksAtOnce; i++)
        {
            if (_subscribers.Count == 0)
            {
                return false;
            }

            var session = _subscribers.Peek();
            if (!_channels.TryDequeue(out var next))
            {
                Take(session);
                if (_channels.Count == 0)
                {
                    _ = _subscribers.Dequeue();
                }
            }
            else if (session.Restriction?.AllowsChannel(next.Channel.Name, next.Kind == ChannelKind.Pattern) == false)
            {
                _channels.Clear();
                _ = _subscribers.Dequeue();
                Close(session);
            }
            else if (_channels.Count == 0)
            {
                _ = _subscribers.Dequeue();
            }
        }

        return true;
    }

    private void Take(Session session)
    {
        foreach (var kind in (ReadOnlySpan<ChannelKind>)[ChannelKind.Channel, ChannelKind.Pattern, ChannelKind.Shard])
        {
            foreach (var channel in session.Subscriptions.Some(kind, int.MaxValue))
            {
                _channels.Enqueue((kind, channel));
            }
        }
    }

    private void Close(Session session)
    {
        if (session == _asking)
        {
            ClosesAsking = true;
        }
        else
        {
            session.Connection.Close();
        }
    }
}
