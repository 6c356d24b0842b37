using Strata.Storage.Log;

namespace Strata.Server.Resp;

/// <summary>The end of a reply whose value is not copied: it lies in its record, which is not changed meanwhile, until
/// it is sent or something is written behind it. CR and LF follow.</summary>
internal unsafe struct ReplyLoan
{
    private ValueLoans? _loans;
    private int _worker;

    /// <summary>Whether there is one.</summary>
    public readonly bool IsOpen => _loans != null;

    /// <summary>The value's first byte.</summary>
    public byte* Value { get; private set; }

    /// <summary>The value's bytes.</summary>
    public int Length { get; private set; }

    /// <summary>Bytes of the reply that are not in the writer's buffer.</summary>
    public int ReplyBytes { get; private set; }

    /// <summary>Borrows a record's value.</summary>
    /// <param name="loans">Of the record's log.</param>
    /// <param name="record">The record.</param>
    /// <param name="worker">Who borrows it; he has borrowed none.</param>
    public void Begin(ValueLoans loans, in Record record, int worker)
    {
        loans.Begin(worker, record.Address);
        _loans = loans;
        _worker = worker;
        Value = record.ValuePointer;
        Length = record.ValueLength;
        ReplyBytes = Length + "\r\n"u8.Length;
    }

    /// <summary>Gives the value back, if there is one.</summary>
    public void End()
    {
        _loans?.End(_worker);
        this = default;
    }
}
