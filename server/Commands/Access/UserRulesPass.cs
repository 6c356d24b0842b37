using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Options;
using Strata.Storage.Collections;

namespace Strata.Server.Commands.Access;

/// <summary>ACL SETUSER with many rules, or of a user that has many: the rules are looked at and copied in steps, and
/// what is made of them is made beside the workers.</summary>
internal sealed class UserRulesPass : IDisposable
{
    // What is done at once: some tenths of a millisecond, of which a category may take a few microseconds.
    private const int FewRules = 64;
    private const int FewBytes = 1024;
    private const int SmallUserBytes = 64 << 10;

    private readonly int _first;
    private readonly string _name;
    private readonly bool _isShort;
    private WordBuffer? _words = new();
    private UserRoomNeed _need;
    private UserRoom? _room;
    private int _measured;
    private int _copied;

    private UserRulesPass(CommandContext context, string name, int first)
    {
        _first = first;
        _name = name;
        _measured = first;
        _copied = first;
        var user = context.Services.Users.Find(name)?.Current;
        _need = new UserRoomNeed(user);
        _isShort = context.IsInTransaction || (IsShort(context) && (user?.SizeBytes ?? 0) <= SmallUserBytes);
    }

    /// <summary>Begins, or goes on; in a transaction to the end.</summary>
    /// <param name="context">The command.</param>
    /// <param name="name">The user's name.</param>
    /// <param name="first">Index of the first rule.</param>
    public static void Execute(CommandContext context, string name, int first)
    {
        var session = context.Session;
        var pass = (context.IsInTransaction ? null : session.Unfinished as UserRulesPass)
            ?? new UserRulesPass(context, name, first);
        if (pass._isShort)
        {
            using (pass)
            {
                _ = pass.TryStep(context, long.MaxValue);
            }
        }
        else if (!pass.TryStep(context, context.Server.EffortOfStep))
        {
            session.Unfinished = pass;
            context.HasMore = true;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _room?.Dispose();
        _words?.Dispose();
    }

    private bool IsShort(CommandContext context)
    {
        var bytes = 0L;
        for (var i = _first; i < Math.Min(context.Count, _first + FewRules); i++)
        {
            bytes += context.Argument(i).Length;
        }

        return context.Count - _first <= FewRules && bytes <= FewBytes;
    }

    private bool TryStep(CommandContext context, long effort)
    {
        for (; _measured < context.Count; _measured++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var rule = context.Argument(_measured);
            effort -= StepEffort.Of(rule.Length); // One is dealt with, be it as long as it may.
            if (rule.Length > ServerLimits.LongestAccessRuleBytes)
            {
                context.Reply.Error($"ERR A rule has at most {ServerLimits.LongestAccessRuleBytes} bytes");
                return true;
            }

            _need.Add(rule);
        }

        _room ??= _need.Ask(context.Server.Shards.Budget);
        for (; _copied < context.Count; _copied++)
        {
            if (effort <= 0)
            {
                return false;
            }

            var rule = context.Argument(_copied);
            effort -= StepEffort.Of(rule.Length);
            _words!.Add(rule);
        }

        Set(context);
        return true;
    }

    private void Set(CommandContext context)
    {
        var (users, name, words) = (context.Services.Users, _name, _words!);
        byte[]? SetUser()
            => users.TrySet(name, words, out var error) ? null : ConfigurationText.ToBytes($"ERR {error}");
        if (_isShort && (context.IsInTransaction || !context.Services.Users.IsOutrun))
        {
            UserCommand.DoAtOnce(context, changes: true, SetUser);
            return;
        }

        var room = _room!;
        (_room, _words) = (null, null); // They are the work's from here on.
        UserCommand.Do(context, room, changes: true, () =>
        {
            using (words)
            {
                return SetUser();
            }
        });
    }
}
