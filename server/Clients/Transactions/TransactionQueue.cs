using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Clients.Transactions;

/// <summary>What a client has queued since MULTI: its commands' bytes, copied, in native memory charged to the budget,
/// which is kept for the next transaction as long as it is little. Belongs to one worker.</summary>
internal sealed unsafe class TransactionQueue : IDisposable
{
    /// <summary>Memory of a queue itself and of what it always has, about.</summary>
    public const int OwnBytes = 512;

    // Commands lie in blocks: one array that grows is copied, and what it was stays until it is collected.
    private const int BlockBits = 4;
    private const int BlockLength = 1 << BlockBits;

    private readonly NativeBuffer _bytes;
    private readonly ArgumentBuffer _arguments;
    private readonly List<QueuedCommand[]> _blocks = [];
    private MemoryCharge _charge;

    public TransactionQueue(MemoryBudget budget)
    {
        _bytes = new NativeBuffer(budget);
        _arguments = new ArgumentBuffer(budget, ArgumentBuffer.SmallCapacity);
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Commands queued.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes queued.</summary>
    public long Bytes => _bytes.Length;

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _bytes.MemoryBytes + _arguments.ChargedBytes + _charge.Bytes;

    /// <summary>The flags of all queued commands together.</summary>
    public CommandFlags Flags { get; private set; }

    /// <inheritdoc cref="CommandRow.LooksIntoCollections"/>
    public bool LooksIntoCollections { get; private set; }

    /// <summary>Where the queued commands' arguments lie.</summary>
    public ArgumentBuffer Arguments => _arguments;

    /// <summary>A queued command.</summary>
    public ref readonly QueuedCommand this[int index]
        => ref _blocks[index >> BlockBits][index & (BlockLength - 1)];

    /// <summary>The first byte of a queued command; good until another is queued.</summary>
    public byte* StartOf(in QueuedCommand command) => _bytes.Start + command.Start;

    /// <summary>A queued command's arguments.</summary>
    public Request RequestOf(in QueuedCommand command)
        => new(StartOf(command), _arguments.At(command.FirstArgument), command.ArgumentCount);

    /// <summary>The first argument of a queued command as a key of a database, by its physical number. It is not hashed
    /// anew, unless the database is not the one the command was queued for.</summary>
    public Key KeyOf(in QueuedCommand command, byte database)
    {
        var argument = _arguments.At(command.FirstArgument + 1);
        var pointer = StartOf(command) + argument->Offset;
        return database == command.Database
            ? new Key(pointer, argument->Length, database, command.Hash)
            : new Key(pointer, argument->Length, database);
    }

    /// <summary>Queues a command.</summary>
    /// <param name="row">What it is.</param>
    /// <param name="flags">Its flags.</param>
    /// <param name="request">Its arguments.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="database">The physical number of the database its first key is hashed for.</param>
    /// <param name="hash">That hash; anything where its first argument is no key.</param>
    /// <returns>False when there are too many.</returns>
    public bool TryAdd(
        CommandRow row, CommandFlags flags, in Request request, int length, byte database, ulong hash)
    {
        if (Count == ServerLimits.MaxTransactionCommands || Bytes + length > ServerLimits.MaxTransactionBytes
            || request.Count > int.MaxValue - _arguments.Count)
        {
            return false;
        }

        if (Count >> BlockBits == _blocks.Count)
        {
            _blocks.Add(new QueuedCommand[BlockLength]);
            Charge();
        }

        _blocks[Count >> BlockBits][Count & (BlockLength - 1)] = new QueuedCommand(
            row, _bytes.Length, length, _arguments.Count, request.Count, database, hash);
        Count++;
        _bytes.Append(request.Start, length);
        for (var i = 0; i < request.Count; i++)
        {
            _arguments.Add((int)(request.Pointer(i) - request.Start), request.Length(i));
        }

        Flags |= flags;
        LooksIntoCollections |= row.LooksIntoCollections;
        return true;
    }

    /// <summary>Forgets all commands.</summary>
    public void Clear()
    {
        _bytes.Clear(ServerLimits.TransactionKeepBytes);
        _arguments.Clear();
        if (_blocks.Count > 1)
        {
            _blocks.RemoveRange(1, _blocks.Count - 1);
            _blocks.TrimExcess();
            Charge();
        }

        Count = 0;
        Flags = CommandFlags.None;
        LooksIntoCollections = false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _bytes.Dispose();
        _arguments.Dispose();
        _charge.Set(0);
    }

    private void Charge() => _charge.Set((long)_blocks.Count * BlockLength * Unsafe.SizeOf<QueuedCommand>());
}
