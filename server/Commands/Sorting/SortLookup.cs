using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Sorting;

/// <summary>Looks up the keys that patterns and elements make. What it gives stays readable while the command is
/// executed.</summary>
internal sealed unsafe class SortLookup : IDisposable
{
    private readonly CommandContext _context;
    private readonly BufferPool _buffers;
    private NativeBlock _name;
    private MemoryCharge _charge;

    public SortLookup(CommandContext context)
    {
        _context = context;
        _buffers = context.Server.Shards.Budget.Buffers;
        _charge = new MemoryCharge(context.Server.Shards.Budget);
    }

    /// <summary>The value that a pattern names for an element.</summary>
    public bool TryGet(scoped in SortPattern pattern, ReadOnlySpan<byte> element, out ReadOnlySpan<byte> value)
    {
        value = pattern.IsElement ? element : default;
        if (pattern.IsElement || !pattern.NamesKeys || !TryName(pattern, element, out var key))
        {
            return pattern.IsElement;
        }

        if (pattern.HasField)
        {
            return SortSource.TryGetField(_context, key, pattern.Field, out value);
        }

        if (_context.ReadString(key, out var record) != Lookup.Found)
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

    /// <summary>Puts a key's name together.</summary>
    /// <returns>False when it is longer than any key's.</returns>
    private bool TryName(scoped in SortPattern pattern, ReadOnlySpan<byte> element, out Key key)
    {
        var length = (long)pattern.Prefix.Length + element.Length + pattern.Suffix.Length;
        if (length > int.MaxValue)
        {
            key = default;
            return false;
        }

        if (length > _name.Bytes || _name.Start == null)
        {
            Grow((int)length);
        }

        var name = new Span<byte>(_name.Start, (int)length);
        pattern.Prefix.CopyTo(name);
        element.CopyTo(name[pattern.Prefix.Length..]);
        pattern.Suffix.CopyTo(name[(pattern.Prefix.Length + element.Length)..]);
        key = new Key(_name.Start, (int)length, _context.Database);
        return true;
    }

    private void Grow(int length)
    {
        const int LeastBytes = 256;
        var capacity = Math.Max(length, LeastBytes);
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
