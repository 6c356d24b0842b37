using Strata.Server.Resp;

namespace Strata.Server.Commands.Model;

/// <summary>Keys that follow a word, and are followed by as many other arguments, one for each.</summary>
/// <param name="word">The word, as COMMAND INFO names it.</param>
/// <param name="startsAt">The least index at which it may stand.</param>
/// <param name="find">Finds in a request, whose options may hold the word as a name, where it is that the command takes
/// for it; 0 when it does not.</param>
public sealed class HalfKeys(string word, int startsAt, Func<Request, int> find)
{
    /// <summary>The word.</summary>
    public string Word => word;

    /// <summary>The least index at which the word may stand.</summary>
    public int StartsAt => startsAt;

    /// <summary>Index of a request's first key and of its last, which is lower where the command is wrong.</summary>
    public (int First, int Last) RangeOf(in Request request)
    {
        var at = find(request);
        var behind = request.Count - at - 1;
        return at > 0 && behind > 0 && behind % 2 == 0 ? (at + 1, at + (behind / 2)) : (1, 0);
    }
}
