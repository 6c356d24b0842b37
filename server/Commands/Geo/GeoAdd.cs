using System.Buffers;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.SortedSets;

namespace Strata.Server.Commands.Geo;

/// <summary>GEOADD key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]</summary>
internal static class GeoAdd
{
    private const int FirstOption = 2;
    private const int MaxOnStack = 16;

    /// <summary>Arguments of a member: where it is, and its name.</summary>
    private const int Stride = 3;

    public static readonly CommandRow Row = new("geoadd", -5,
        CommandFlags.Write | CommandFlags.DenyOom,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.Geo,
        Categories = AclCategories.Geo,
        Since = "3.2.0",
        Summary = "Adds members with their places to a sorted set, or moves those that are there.",
        Complexity = "O(log(N)) per member, with N members in the set",
        Syntax = "key [NX|XX] [CH] longitude latitude member [longitude latitude member ...]",
    };

    private static void Execute(CommandContext context)
    {
        var flags = ScoreFlags.None;
        var first = FirstOption;
        for (; first < context.Count && FlagOf(context, first) is > 0 and var flag; first++)
        {
            flags |= flag;
        }

        var count = context.Count - first;
        if (count % Stride != 0 || count == 0
            || (flags & (ScoreFlags.Nx | ScoreFlags.Xx)) == (ScoreFlags.Nx | ScoreFlags.Xx))
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        count /= Stride;
        var rented = count > MaxOnStack ? ArrayPool<double>.Shared.Rent(count) : null;
        var scores = rented == null ? stackalloc double[MaxOnStack] : rented.AsSpan();
        scores = scores[..count];
        if (TryScores(context, first, scores))
        {
            ScoreUpdate.Apply(context, flags, scores, first + Stride - 1, Stride);
        }

        if (rented != null)
        {
            ArrayPool<double>.Shared.Return(rented);
        }
    }

    private static ScoreFlags FlagOf(CommandContext context, int index)
        => context.IsWord(index, "nx"u8) ? ScoreFlags.Nx
            : context.IsWord(index, "xx"u8) ? ScoreFlags.Xx
            : context.IsWord(index, "ch"u8) ? ScoreFlags.Ch
            : ScoreFlags.None;

    private static bool TryScores(CommandContext context, int first, Span<double> scores)
    {
        for (var i = 0; i < scores.Length; i++)
        {
            if (!GeoArguments.TryPlace(context, first + (i * Stride), out var place))
            {
                return false;
            }

            scores[i] = GeoCell.Of(place, GeoCell.MaxSteps, GeoArea.Map).FirstScore;
        }

        return true;
    }
}
