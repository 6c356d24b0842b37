using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Sorting;

/// <summary>Looks up the keys that patterns and elements make. What it gives stays readable while the command, or a
/// step of it, is executed.</summary>
internal sealed unsafe class SortLookup : IDisposable
{
    private readonly BufferPool _buffers;
    private NativeBlock _name;
    private MemoryCharge _charge;
    private int _begunFor; // The pattern with whose prefix the name begins; 0 for none.

    /// <summary>One that charges a budget.</summary>
    public SortLookup(MemoryBudget budget)
    {
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>The value that a pattern names for an element.</summary>
    public bool TryGet(
        CommandContext context,
        scoped in SortPattern pattern,
        ReadOnlySpan<byte> element,
        out ReadOnlySpan<byte> value)
    {
        value = pattern.IsElement ? element : default;
        if (pattern.IsElement || !pattern.NamesKeys || !TryName(context, pattern, element, out var key))
        {
            return pattern.IsElement;
        }

        return TryGet(context, pattern, key, out value);
    }

    /// <summary>The value of a key that was named.</summary>
    public static bool TryGet(
        CommandContext context, scoped in SortPattern pattern, scoped in Key key, out ReadOnlySpan<byte> value)
    {
        if (pattern.HasField)
        {
            var field = pattern.FieldOf(context.Argument(pattern.Index));
            return SortSource.TryGetField(context, key, field, out value);
        }

        value = default;
        if (context.ReadString(key, out var record) != Lookup.Found)
        {
            return false;
        }

        value = record.Value;
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _buffers.Free(ref _name, ref _charge);
    }

    /// <summary>Puts a key's name together; it is good until the next one.</summary>
    /// <returns>False when it is longer than any key's.</returns>
    public bool TryName(CommandContext context, in SortPattern pattern, ReadOnlySpan<byte> element, out Key key)
    {
        var length = (long)pattern.NameBytes + element.Length;
        if (length > int.MaxValue)
        {
            key = default;
            return false;
        }

        if (length > _name.Bytes || _name.Start == null)
        {
            Grow((int)length);
        }

        var argument = context.Argument(pattern.Index);
        var prefix = pattern.PrefixOf(argument);
        var suffix = pattern.SuffixOf(argument);
        var name = new Span<byte>(_name.Start, (int)length);
        if (_begunFor != pattern.Index)
        {
            prefix.CopyTo(name);
            _begunFor = pattern.Index;
        }

        element.CopyTo(name[prefix.Length..]);
        suffix.CopyTo(name[(prefix.Length + element.Length)..]);
        key = new Key(_name.Start, (int)length, context.Database);
        return true;
    }

    private void Grow(int length)
    {
        const int LeastBytes = 256;
        var capacity = Math.Max(length, LeastBytes);
        _begunFor = 0;
        try
        {
            _buffers.Resize(ref _name, ref _charge, capacity);
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no {capacity} bytes of memory", exception);
        }
    }
}
