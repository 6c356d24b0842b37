using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>What GEOSEARCH and its kin are asked for.</summary>
internal struct GeoQuery
{
    /// <summary>Arguments before GEORADIUS's words, and before GEORADIUSBYMEMBER's.</summary>
    private const int PlaceWords = 6;
    private const int MemberWords = 5;

    /// <summary>The shape, in the middle of which members are nearest.</summary>
    public GeoShape Shape;

    public GeoOrder Order;

    /// <summary>The most members wanted; 0 for all.</summary>
    public long Count;

    /// <summary>Whether any will do, if they are so many.</summary>
    public bool IsAny;

    public bool WithDistance;
    public bool WithHash;
    public bool WithPlace;

    /// <summary>The key that the result is stored as; 0 for none.</summary>
    public int StoreIndex;

    /// <summary>Whether distances are stored in the place of what gives the places.</summary>
    public bool StoresDistances;

    private bool _hasCentre;
    private bool _isOfMember;
    private bool _hasShape;

    /// <summary>Where the first key behind an argument stands that a request of GEORADIUS or GEORADIUSBYMEMBER names to
    /// store its result as, of which the last counts; 0 for none.</summary>
    public static int FindStore(Request request, int after)
    {
        for (var i = Math.Max(MemberWords, after + 1); i < request.Count - 1; i++)
        {
            if (NumberParser.IsWord(request[i], "store"u8) || NumberParser.IsWord(request[i], "storedist"u8))
            {
                return i + 1;
            }
        }

        return 0;
    }

    /// <summary>Reads a command's arguments; answers Redis's error where they are wrong.</summary>
    /// <param name="context">The command.</param>
    /// <param name="form">Which it is.</param>
    /// <param name="mayStore">Whether it has the words STORE and STOREDIST.</param>
    /// <param name="exists">Whether there is a sorted set.</param>
    /// <param name="set">The sorted set, if so, in which members are looked up.</param>
    /// <param name="query">What is asked for.</param>
    public static bool TryParse(
        CommandContext context, GeoForm form, bool mayStore, bool exists, in SortedSetReader set, out GeoQuery query)
    {
        query = default;
        query.StoreIndex = form == GeoForm.WordsToStore ? 1 : 0;
        var first = form switch
        {
            GeoForm.Place => PlaceWords,
            GeoForm.Member => MemberWords,
            GeoForm.Words => 2,
            _ => 3,
        };
        if (form == GeoForm.Place
            && !(GeoArguments.TryPlace(context, 2, out query.Shape.Centre)
                && GeoArguments.TryCircle(context, first - 2, ref query.Shape)))
        {
            return false;
        }

        if (form == GeoForm.Member && exists
            && !(query.TryMember(context, 2, exists, set)
                && GeoArguments.TryCircle(context, first - 2, ref query.Shape)))
        {
            return false;
        }

        for (var i = first; i < context.Count; i++)
        {
            var left = context.Count - i - 1;
            if (query.TryOption(context, i))
            {
                continue;
            }

            var used = form >= GeoForm.Words
                ? query.ReadArea(context, i, left, exists, set)
                : query.ReadStore(context, i, left, mayStore);
            used = used == 0 ? query.ReadCount(context, i, left) : used;
            if (used == 0 && form == GeoForm.WordsToStore && context.IsWord(i, "storedist"u8))
            {
                query.StoresDistances = true;
            }
            else if (used <= 0)
            {
                return used == 0 && Refuse(context, Errors.Syntax);
            }

            i += used;
        }

        return query.IsWhole(context, form);
    }

    private static bool Refuse(CommandContext context, ReadOnlySpan<byte> error)
    {
        context.Reply.Error(error);
        return false;
    }

    /// <summary>Reads a word that stands alone.</summary>
    private bool TryOption(CommandContext context, int i)
    {
        if (context.IsWord(i, "withdist"u8))
        {
            WithDistance = true;
        }
        else if (context.IsWord(i, "withhash"u8))
        {
            WithHash = true;
        }
        else if (context.IsWord(i, "withcoord"u8))
        {
            WithPlace = true;
        }
        else if (context.IsWord(i, "any"u8))
        {
            IsAny = true;
        }
        else if (context.IsWord(i, "asc"u8))
        {
            Order = GeoOrder.Ascending;
        }
        else if (context.IsWord(i, "desc"u8))
        {
            Order = GeoOrder.Descending;
        }
        else
        {
            return false;
        }

        return true;
    }

    /// <summary>Reads COUNT.</summary>
    /// <returns>The arguments behind the word; 0 if it is another, -1 with an error answered.</returns>
    private int ReadCount(CommandContext context, int i, int left)
    {
        if (left < 1 || !context.IsWord(i, "count"u8))
        {
            return 0;
        }

        if (!context.TryInteger(i + 1, out Count))
        {
            return -1;
        }

        return Count > 0 || Refuse(context, "ERR COUNT must be > 0"u8) ? 1 : -1;
    }

    /// <summary>Reads STORE and STOREDIST.</summary>
    /// <inheritdoc cref="ReadCount"/>
    private int ReadStore(CommandContext context, int i, int left, bool mayStore)
    {
        var isDistance = context.IsWord(i, "storedist"u8);
        if (!mayStore || left < 1 || !(isDistance || context.IsWord(i, "store"u8)))
        {
            return 0;
        }

        StoreIndex = i + 1;
        StoresDistances = isDistance;
        return 1;
    }

    /// <summary>Reads what GEOSEARCH says the shape with.</summary>
    /// <inheritdoc cref="ReadCount"/>
    private int ReadArea(CommandContext context, int i, int left, bool exists, in SortedSetReader set)
    {
        if (left >= 1 && !(_hasCentre && !_isOfMember) && context.IsWord(i, "frommember"u8))
        {
            (_hasCentre, _isOfMember) = (true, true);
            return TryMember(context, i + 1, exists, set) ? 1 : -1;
        }

        if (left >= 2 && !_isOfMember && context.IsWord(i, "fromlonlat"u8))
        {
            _hasCentre = true;
            return GeoArguments.TryPlace(context, i + 1, out Shape.Centre) ? 2 : -1;
        }

        if (left >= 2 && !(_hasShape && Shape.IsBox) && context.IsWord(i, "byradius"u8))
        {
            _hasShape = true;
            return GeoArguments.TryCircle(context, i + 1, ref Shape) ? 2 : -1;
        }

        if (left >= 3 && !(_hasShape && !Shape.IsBox) && context.IsWord(i, "bybox"u8))
        {
            _hasShape = true;
            return GeoArguments.TryBox(context, i + 1, ref Shape) ? 3 : -1;
        }

        return 0;
    }

    private bool TryMember(CommandContext context, int index, bool exists, in SortedSetReader set)
    {
        if (!exists)
        {
            return true;
        }

        if (!set.TryGetScore(context.Argument(index), out var score))
        {
            return Refuse(context, "ERR could not decode requested zset member"u8);
        }

        Shape.Centre = GeoPoint.OfScore(score);
        return true;
    }

    /// <summary>Whether nothing is missing that the words ask for.</summary>
    private readonly bool IsWhole(CommandContext context, GeoForm form)
    {
        if (StoreIndex > 0 && (WithDistance || WithHash || WithPlace))
        {
            return Refuse(context, form == GeoForm.WordsToStore
                ? "ERR GEOSEARCHSTORE is not compatible with WITHDIST, WITHHASH and WITHCOORD options"u8
                : "ERR STORE option in GEORADIUS is not compatible with WITHDIST, WITHHASH and WITHCOORD options"u8);
        }

        if (form >= GeoForm.Words && !(_hasCentre && _hasShape))
        {
            var missing = _hasCentre ? "BYRADIUS and BYBOX" : "FROMMEMBER or FROMLONLAT";
            context.Reply.Error(
                $"ERR exactly one of {missing} can be specified for {EchoedArgument.Of(context.Argument(0))}");
            return false;
        }

        return !IsAny || Count > 0 || Refuse(context, "ERR the ANY argument requires COUNT argument"u8);
    }
}
