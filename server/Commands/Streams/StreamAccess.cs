using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Text;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>How commands get at streams and their groups; what is wrong is answered with Redis's error.</summary>
internal static class StreamAccess
{
    /// <summary>Up to where entries share a block now.</summary>
    public static StreamLimits LimitsOf(CommandContext context)
    {
        var options = context.Server.Configuration.Current;
        return new StreamLimits(options.StreamNodeMaxBytes, options.StreamNodeMaxEntries);
    }

    /// <summary>Looks up a stream to read it. A wrong type is answered.</summary>
    public static Lookup Read(CommandContext context, in Key key, out StreamView stream)
    {
        var lookup = context.ReadCollection(key, RecordType.Stream, out var record);
        stream = lookup == Lookup.Found ? new StreamView(record) : default;
        return WrongType.Answered(context, lookup);
    }

    /// <summary>Looks up a stream to change it. A wrong type is answered.</summary>
    public static Lookup Edit(CommandContext context, scoped in Key key, out StreamEditor stream)
    {
        var lookup = context.WriteCollection(key, RecordType.Stream, out var record);
        stream = lookup == Lookup.WrongType ? default : Open(context, key, record);
        return WrongType.Answered(context, lookup);
    }

    /// <summary>Looks up a stream to read it and to change it, as commands of groups do: it counts as read. A wrong
    /// type
    /// is answered.</summary>
    public static Lookup EditRead(CommandContext context, scoped in Key key, out StreamEditor stream)
    {
        var lookup = context.ReadCollection(key, RecordType.Stream, out var record);
        stream = lookup == Lookup.Found ? Open(context, key, record) : default;
        return WrongType.Answered(context, lookup);
    }

    /// <summary>A stream that was looked up, to be changed.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">Its key.</param>
    /// <param name="record">Its record; a null one where it is missing.</param>
    public static StreamEditor Open(CommandContext context, scoped in Key key, scoped in Record record)
        => new(context.ShardOf(key), key, record, LimitsOf(context));

    /// <summary>Looks up a stream and one of its groups, named by the second argument, to change it; that one of them
    /// is
    /// not there is answered.</summary>
    public static bool TryEditGroup(CommandContext context, out StreamEditor stream, out StreamGroup group)
    {
        group = default;
        switch (EditRead(context, context.Key, out stream))
        {
            case Lookup.WrongType:
                return false;
            case Lookup.Found when stream.Read().TryFindGroup(context.Argument(2), out group):
                return true;
            default:
                RefuseMissing(context);
                return false;
        }
    }

    /// <summary>Answers that there is no such stream or no such group of it, the first two arguments.</summary>
    public static void RefuseMissing(CommandContext context)
        => context.Reply.Error(
            $"NOGROUP No such key '{EchoedArgument.Of(context.Argument(1))}' or consumer group "
            + $"'{EchoedArgument.Of(context.Argument(2))}'");
}
