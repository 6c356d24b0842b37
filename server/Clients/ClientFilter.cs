using System.Text;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;

namespace Strata.Server.Clients;

/// <summary>Which clients CLIENT KILL means: those that everything set here holds for.</summary>
internal sealed class ClientFilter
{
    /// <summary>The client's number, or 0 for any.</summary>
    public long Id { get; private set; }

    /// <summary>The kind, or null for any.</summary>
    public ClientType? Type { get; private set; }

    /// <summary>The client's address as CLIENT LIST gives it, or null for any.</summary>
    public string? Address { get; set; }

    /// <summary>The client's user, or null for any.</summary>
    public UserSlot? User { get; private set; }

    /// <summary>The server's address as CLIENT LIST gives it, or null for any.</summary>
    public string? LocalAddress { get; private set; }

    /// <summary>For how many seconds the client is there at least, or 0 for any.</summary>
    public long LeastAgeSeconds { get; private set; }

    /// <summary>Whether the client that asks is spared.</summary>
    public bool SkipsSelf { get; set; } = true;

    /// <summary>Reads the options from <paramref name="first"/> on; answers Redis's error when one is wrong.</summary>
    public static bool TryRead(CommandContext context, int first, out ClientFilter filter)
    {
        filter = new ClientFilter();
        for (var i = first; i < context.Count; i += 2)
        {
            if (i + 1 == context.Count)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (!filter.TryReadOption(context, i))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether a client is meant; <see cref="SkipsSelf"/> is the caller's to look at.</summary>
    public bool Matches(Session session)
    {
        var address = session.Connection.Address;
        return (Id == 0 || session.Id == Id)
            && ClientTypes.IsMeant(session, Type)
            && (User == null || session.User == User)
            && (LeastAgeSeconds == 0
                || session.Worker.Worker.NowMs / 1000 - session.Connection.CreatedMs / 1000 >= LeastAgeSeconds)
            && (Address == null || address.RemoteText == Address)
            && (LocalAddress == null || address.LocalText == LocalAddress);
    }

    private bool TryReadOption(CommandContext context, int index)
    {
        var value = context.Argument(index + 1);
        if (context.IsWord(index, "id"u8))
        {
            return TryReadId(context, index + 1);
        }

        if (context.IsWord(index, "maxage"u8))
        {
            return TryReadAge(context, index + 1);
        }

        if (context.IsWord(index, "type"u8))
        {
            var isType = ClientTypes.TryRead(context, index + 1, out var type);
            Type = type;
            return isType;
        }

        if (context.IsWord(index, "user"u8))
        {
            User = context.Services.Users.Find(value);
            return User != null || Refuse(context, "No such user", value);
        }

        if (context.IsWord(index, "addr"u8))
        {
            Address = Encoding.UTF8.GetString(value);
            return true;
        }

        if (context.IsWord(index, "laddr"u8))
        {
            LocalAddress = Encoding.UTF8.GetString(value);
            return true;
        }

        var isYes = NumberParser.IsWord(value, "yes"u8);
        if (!context.IsWord(index, "skipme"u8) || (!isYes && !NumberParser.IsWord(value, "no"u8)))
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        SkipsSelf = isYes;
        return true;
    }

    private bool TryReadId(CommandContext context, int index)
    {
        if (NumberParser.TryParseInt64(context.Argument(index), out var id) && id > 0)
        {
            Id = id;
            return true;
        }

        context.Reply.Error("ERR client-id should be greater than 0"u8);
        return false;
    }

    private bool TryReadAge(CommandContext context, int index)
    {
        if (!NumberParser.TryParseInt64(context.Argument(index), out var seconds))
        {
            context.Reply.Error("ERR maxage is not an integer or out of range"u8);
            return false;
        }

        if (seconds <= 0)
        {
            context.Reply.Error("ERR maxage should be greater than 0"u8);
            return false;
        }

        LeastAgeSeconds = seconds;
        return true;
    }

    private static bool Refuse(CommandContext context, string reason, ReadOnlySpan<byte> value)
    {
        context.Reply.Error($"ERR {reason} '{EchoedArgument.Of(value)}'");
        return false;
    }
}
