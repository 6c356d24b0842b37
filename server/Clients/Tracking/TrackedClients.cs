using System.Numerics;

namespace Strata.Server.Clients.Tracking;

/// <summary>A worker's clients that track. The first of them have slots: a client's slot is another's when nothing is
/// remembered of it any more. Worker's thread, except where a member says otherwise.</summary>
internal sealed class TrackedClients
{
    private readonly Dictionary<long, Session> _byId = [];
    private readonly Session?[] _bySlot = new Session?[TrackedClient.Slots];
    private ulong _freeSlots = ulong.MaxValue;

    /// <summary>How many there are; any thread may read it.</summary>
    public int Count => _byId.Count;

    /// <summary>All of them, as they are now.</summary>
    public Session[] All => [.. _byId.Values];

    /// <summary>Whether one is there.</summary>
    public bool Has(long id) => _byId.ContainsKey(id);

    /// <summary>Finds one by its number; null when it has gone.</summary>
    public Session? Find(long id) => _byId.GetValueOrDefault(id);

    /// <summary>Finds one by its slot; null when it has gone.</summary>
    public Session? At(int slot) => _bySlot[slot];

    /// <summary>Adds one.</summary>
    /// <param name="client">The client.</param>
    /// <param name="added">How what it reads is remembered.</param>
    /// <returns>False when it was there.</returns>
    public bool TryAdd(Session client, out TrackedClient added)
    {
        added = default;
        if (!_byId.TryAdd(client.Id, client))
        {
            return false;
        }

        var slot = _freeSlots == 0 ? TrackedClient.NoSlot : BitOperations.TrailingZeroCount(_freeSlots);
        if (slot != TrackedClient.NoSlot)
        {
            _freeSlots &= ~(1UL << slot);
            _bySlot[slot] = client;
        }

        added = new TrackedClient(client.Id, slot);
        return true;
    }

    /// <summary>Takes one out. Its slot, if it has one, is to be given back.</summary>
    /// <returns>False when it was not there.</returns>
    public bool TryRemove(TrackedClient client)
    {
        if (client.Slot != TrackedClient.NoSlot && _byId.ContainsKey(client.Id))
        {
            _bySlot[client.Slot] = null;
        }

        return _byId.Remove(client.Id);
    }

    /// <summary>Gives a slot back: nothing is remembered any more of what its client has read.</summary>
    public void FreeSlot(int slot) => _freeSlots |= 1UL << slot;
}
