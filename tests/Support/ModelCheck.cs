using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Core;
using NUnit.Framework.Internal;

namespace Strata.Tests.Support;

/// <summary>
/// Replays generated sequences of operations on a structure and on a model of it. Of a sequence that fails FsCheck
/// prints the shortest part that still does, and its seed.
/// The sequences are the same every time. <c>MODEL_SEED</c> chooses others: a number, or the numbers printed with a
/// failure, which make the sequence that failed the first; <c>MODEL_FACTOR</c> is by how much more there are.
/// What depends on where keys are hashed to is another each time: <see cref="Strata.Storage.Index.KeyHash"/> draws
/// secrets when the process starts.
/// </summary>
internal static class ModelCheck
{
    private const ulong UsualSeed = 20;

    /// <summary>Replays <paramref name="count"/> sequences.</summary>
    /// <param name="sequences">Makes a sequence.</param>
    /// <param name="count">Sequences.</param>
    /// <param name="replay">Begins with an empty structure and throws if it is not what the model is.</param>
    public static void Run<T>(Gen<T[]> sequences, int count, Action<T[]> replay)
        where T : struct, IOperation<T>
    {
        var arbitrary = Arb.From(
            sequences.Select(operations => new OperationSequence<T>(operations)), sequence => sequence.Shorter());
        var factor = int.Parse(Setting("MODEL_FACTOR") ?? "1", CultureInfo.InvariantCulture);
        var configuration = Config.QuickThrowOnFailure
            .WithQuietOnSuccess(true)
            .WithMaxTest(count * factor)
            .WithReplay(FSharpOption<Replay>.Some(new Replay(Seed(), FSharpOption<int>.None)));
        Check.One(configuration, Prop.ForAll(arbitrary, sequence =>
        {
            // NUnit notes each assertion that fails, also those of sequences that are only tried while shrinking.
            using var isolated = new TestExecutionContext.IsolatedContext();
            replay(sequence.Operations);
        }));
    }

    /// <summary>Sequences of one kind of operations and another by turns, such as more that add and more that remove.
    /// </summary>
    public static Gen<T[]> Swings<T>(Gen<T> growing, Gen<T> shrinking, int swings, int length)
        => Phases(Gen.Constant(growing), Gen.Constant(shrinking), swings, length);

    /// <summary>Sequences of phases, each of operations of one generator.</summary>
    public static Gen<T[]> Phases<T>(Gen<Gen<T>> even, Gen<Gen<T>> odd, int phases, int length)
        => Gen.CollectToArray(
            Enumerable.Range(0, phases),
            phase => (phase % 2 == 0 ? even : odd).SelectMany(operation => operation.ArrayOf(length)))
            .Select(parts => parts.SelectMany(part => part).ToArray());

    private static Rnd Seed()
    {
        var numbers = Setting("MODEL_SEED")?.Split(',')
            .Select(number => ulong.Parse(number, CultureInfo.InvariantCulture)).ToArray() ?? [UsualSeed];
        return numbers.Length == 1 ? new Rnd(numbers[0]) : new Rnd(numbers[0], numbers[1]);
    }

    private static string? Setting(string name)
        => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;
}
