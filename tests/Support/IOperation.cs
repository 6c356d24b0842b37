namespace Strata.Tests.Support;

/// <summary>One step of a model test. Its arguments mean something in every state (a place is taken modulo the number
/// of places), so that a sequence is still one when steps are left out.</summary>
internal interface IOperation<TSelf>
    where TSelf : struct, IOperation<TSelf>
{
    /// <summary>The same operation with smaller arguments, the smallest first.</summary>
    IEnumerable<TSelf> Simpler();

    /// <summary>Numbers to try instead of one: zero, then ever closer to it.</summary>
    protected static IEnumerable<int> SmallerThan(int number)
    {
        for (var gap = number; gap != 0; gap /= 2)
        {
            yield return number - gap;
        }
    }
}
