using System.Diagnostics.CodeAnalysis;

namespace Strata.Server.Clients.Access;

/// <summary>Values by name in the order they were added: any of them is found, added and taken away in the same time,
/// however many there are. Names are compared byte by byte.</summary>
/// <typeparam name="T">What a name stands for.</typeparam>
internal sealed class OrderedMap<T>
{
    private readonly LinkedList<KeyValuePair<string, T>> _inOrder = [];
    private readonly Dictionary<string, LinkedListNode<KeyValuePair<string, T>>> _byName =
        new(StringComparer.Ordinal);

    /// <summary>Names and values in their order.</summary>
    public IEnumerable<KeyValuePair<string, T>> InOrder => _inOrder;

    /// <summary>The values in the order of their names.</summary>
    public IEnumerable<T> Values => _inOrder.Select(pair => pair.Value);

    /// <summary>Whether there are none.</summary>
    public bool IsEmpty => _byName.Count == 0;

    /// <summary>Finds a name.</summary>
    public bool TryGet(string name, [MaybeNullWhen(false)] out T value)
    {
        var isFound = _byName.TryGetValue(name, out var node);
        value = isFound ? node!.Value.Value : default;
        return isFound;
    }

    /// <summary>Puts a value in the place of the one that the name has, or behind all others.</summary>
    public void Set(string name, T value)
    {
        if (_byName.TryGetValue(name, out var node))
        {
            node.Value = new(name, value);
        }
        else
        {
            _byName[name] = _inOrder.AddLast(new KeyValuePair<string, T>(name, value));
        }
    }

    /// <summary>Takes a name away.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(string name)
    {
        if (!_byName.Remove(name, out var node))
        {
            return false;
        }

        _inOrder.Remove(node);
        return true;
    }

    /// <summary>Takes all away.</summary>
    public void Clear()
    {
        _byName.Clear();
        _inOrder.Clear();
    }
}
