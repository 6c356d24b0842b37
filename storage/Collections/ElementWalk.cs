using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections;

/// <summary>All elements of an <see cref="ElementTable"/>, which must not change meanwhile, in no order.</summary>
public unsafe struct ElementWalk
{
    private readonly ElementTable* _table;
    private ElementChain _chain;
    private uint _nextBucket;

    internal ElementWalk(ElementTable* table)
    {
        _table = table;
        _chain = table->ChainOf(0);
        _nextBucket = 1;
    }

    /// <summary>Gives the next element's block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNext(out byte* block)
    {
        while (!_chain.TryNext(out block))
        {
            if (_nextBucket >= _table->BucketCount)
            {
                return false;
            }

            _chain = _table->ChainOf(_nextBucket++);
        }

        return true;
    }
}
