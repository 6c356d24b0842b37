using Strata.Server.Commands;
using Strata.Server.Network;
using Strata.Server.Resp;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Sessions;

/// <summary>What a client has queued since MULTI: its commands' bytes, copied, in native memory charged to the budget,
/// which is kept for the next transaction as long as it is little. Belongs to one worker.</summary>
internal sealed unsafe class TransactionQueue : IDisposable
{
    private const int FirstCapacity = 16;

    private readonly NativeBuffer _bytes;
    private readonly ArgumentBuffer _arguments = new();
    private QueuedCommand[] _commands = new QueuedCommand[FirstCapacity];

    public TransactionQueue(MemoryBudget budget)
    {
        _bytes = new NativeBuffer(budget);
    }

    /// <summary>Commands queued.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes queued.</summary>
    public long Bytes => _bytes.Length;

    /// <summary>The flags of all queued commands together.</summary>
    public CommandFlags Flags { get; private set; }

    /// <summary>The row of a queued command.</summary>
    public CommandRow RowOf(int index) => _commands[index].Row;

    /// <summary>A queued command's arguments.</summary>
    public Request RequestOf(int index)
    {
        ref readonly var command = ref _commands[index];
        return new Request(
            _bytes.Start + command.Start, _arguments.At(command.FirstArgument), command.ArgumentCount);
    }

    /// <summary>Queues a command of <paramref name="length"/> bytes.</summary>
    /// <returns>False when there are too many.</returns>
    public bool TryAdd(CommandRow row, in Request request, int length)
    {
        if (Count == Limits.MaxTransactionCommands || Bytes + length > Limits.MaxTransactionBytes
            || request.Count > int.MaxValue - _arguments.Count)
        {
            return false;
        }

        if (Count == _commands.Length)
        {
            Array.Resize(ref _commands, Count * 2);
        }

        _commands[Count++] = new QueuedCommand(row, _bytes.Length, _arguments.Count, request.Count);
        _bytes.Append(request.Start, length);
        for (var i = 0; i < request.Count; i++)
        {
            _arguments.Add((int)(request.Pointer(i) - request.Start), request.Length(i));
        }

        Flags |= row.Flags;
        return true;
    }

    /// <summary>Forgets all commands.</summary>
    public void Clear()
    {
        _bytes.Clear(Limits.TransactionKeepBytes);
        _arguments.Clear();
        if (_commands.Length > Limits.TransactionKeepCommands)
        {
            _commands = new QueuedCommand[FirstCapacity];
        }

        Count = 0;
        Flags = CommandFlags.None;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _bytes.Dispose();
        _arguments.Dispose();
    }
}
