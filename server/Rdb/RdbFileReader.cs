using System.Buffers.Binary;
using System.Globalization;
using Strata.Storage.Collections;
using Strata.Storage.Memory;

namespace Strata.Server.Rdb;

/// <summary>
/// Reads an RDB file of Redis up to 7.4, item by item, with a bounded part of it at hand. A file of Valkey is read as
/// far as it has only what Redis has. A file that is torn, damaged, or has what this server has not is an <see
/// cref="RdbException"/>, which names the place; it is never taken for whole.
/// </summary>
internal sealed class RdbFileReader : IDisposable
{
    private const int HeaderBytes = 9;
    private const byte FirstOfValkey = 22;

    private readonly RdbInput _input;
    private readonly RdbString _name;
    private readonly RdbString _text;
    private readonly bool _verifies;
    private bool _isAtValue;

    /// <summary>A file of which nothing was read yet.</summary>
    /// <param name="source">Where its bytes come from.</param>
    /// <param name="budget">What is charged for those at hand.</param>
    /// <param name="verifiesChecksum">Whether its checksum, if it has one, must be right.</param>
    public RdbFileReader(IRdbSource source, MemoryBudget budget, bool verifiesChecksum)
    {
        _verifies = verifiesChecksum;
        _input = new RdbInput(source, budget, verifiesChecksum);
        _name = new RdbString(budget);
        _text = new RdbString(budget);
        Value = new RdbValueReader(budget);
    }

    /// <summary>The version of its format; 0 before the first item was asked for.</summary>
    public int Version { get; private set; }

    /// <summary>Whether Valkey wrote it, in a format that has gone its own way.</summary>
    public bool IsOfValkey { get; private set; }

    /// <summary>Bytes read so far.</summary>
    public long Offset => _input.Offset;

    /// <summary>What is told of the file.</summary>
    public ReadOnlySpan<byte> AuxName => _name.In(_input);

    /// <inheritdoc cref="AuxName"/>
    public ReadOnlySpan<byte> AuxValue => _text.In(_input);

    /// <summary>The code of a library of functions.</summary>
    public ReadOnlySpan<byte> FunctionCode => _text.In(_input);

    /// <summary>A key, good until the next item is asked for.</summary>
    public ReadOnlySpan<byte> Key => _name.In(_input);

    /// <summary>The key's database.</summary>
    public int Database { get; private set; }

    /// <summary>When the key expires, milliseconds since 1970; -1 for never.</summary>
    public long ExpiryMs { get; private set; }

    /// <summary>What else is told of the key.</summary>
    public RdbEntryInfo Info { get; private set; }

    /// <summary>How many keys the database has that was named last, and how many of them expire, as the file says.
    /// </summary>
    public (long Keys, long Expiring) Sizes { get; private set; }

    /// <summary>The number of the type and form of the key's value (<see cref="RdbType"/>).</summary>
    public byte ValueType { get; private set; }

    /// <summary>Reads the key's value: see <see cref="BeginValue"/>.</summary>
    public RdbValueReader Value { get; }

    /// <summary>What was read from the source behind the end of the file, as in an append-only file that begins with an
    /// RDB file: it goes on there, and then in the source.</summary>
    public ReadOnlySpan<byte> Rest => _input.Unread;

    /// <summary>Reads up to the next item. A value that was not read is passed.</summary>
    /// <exception cref="RdbException">The file is torn or damaged, or has what this server has not.</exception>
    public RdbItem Next()
    {
        if (Version == 0)
        {
            ReadHeader();
        }

        if (_isAtValue)
        {
            SkipValue();
        }

        _input.Release();
        _name.Forget();
        _text.Forget();
        ExpiryMs = -1;
        Info = RdbEntryInfo.None;
        while (true)
        {
            var code = _input.ReadByte();
            switch (code)
            {
                case RdbFormat.End:
                    ReadEnd();
                    return RdbItem.End;
                case RdbFormat.Aux:
                    _input.Keep();
                    _name.Read(_input);
                    _text.Read(_input);
                    return RdbItem.Aux;
                case RdbFormat.Function:
                    _input.Keep();
                    _text.Read(_input);
                    return RdbItem.Function;
                case < RdbFormat.SlotInfo when !IsOfValkey || code < FirstOfValkey:
                    ReadKey(code);
                    return RdbItem.Key;
                default:
                    ReadNote(code);
                    break;
            }
        }
    }

    /// <summary>Begins with the key's value: <see cref="RdbValueReader.Step"/> reads it then.</summary>
    /// <param name="store">The key's shard, whose lease is held.</param>
    /// <param name="limits">Up to where collections are packed.</param>
    public void BeginValue(CollectionStore store, in CollectionLimits limits)
    {
        _isAtValue = false;
        Value.Begin(ValueType, _input, store, limits);
    }

    /// <summary>Passes the key's value, which was not begun, unless it is long.</summary>
    /// <param name="most">Bytes that it may have.</param>
    /// <param name="bytes">It as it is in the file; good until the next item is asked for.</param>
    /// <returns>False if it has more; then it was not passed.</returns>
    /// <exception cref="RdbException">It is damaged.</exception>
    public bool TryPassValue(int most, out ReadOnlySpan<byte> bytes)
    {
        var start = _input.Offset;
        _input.Keep();
        if (!RdbValueReader.TrySkip(ValueType, _input, start + most))
        {
            _input.Return();
            bytes = default;
            return false;
        }

        _input.Release();
        _isAtValue = false;
        bytes = _input.Again(start, (int)(_input.Offset - start));
        return true;
    }

    /// <summary>Passes the key's value, which was not begun.</summary>
    /// <exception cref="RdbException">It is damaged.</exception>
    public void SkipValue()
    {
        _isAtValue = false;
        RdbValueReader.Skip(ValueType, _input);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Value.Free();
        _name.Free();
        _text.Free();
        _input.Dispose();
    }

    private void ReadKey(byte type)
    {
        var offset = _input.Offset - 1;
        if (!RdbModule.Has(type))
        {
            _ = RdbShape.Of(type, offset);
        }

        _input.Keep();
        _name.Read(_input);
        _name.Take(_input);
        _input.Release();
        RdbModule.Refuse(type, _input, offset);
        ValueType = type;
        _isAtValue = true;
    }

    private void ReadHeader()
    {
        var header = _input.Read(HeaderBytes);
        IsOfValkey = header.StartsWith("VALKEY"u8);
        var isKnown = IsOfValkey || header.StartsWith("REDIS"u8);
        var digits = isKnown ? header[(IsOfValkey ? "VALKEY"u8 : "REDIS"u8).Length..] : [];
        var isVersion = int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var version);
        if (!isKnown || !isVersion || version < 1)
        {
            throw new RdbException("this is no RDB file: it begins with neither REDIS nor VALKEY and a version", 0);
        }

        if (IsOfValkey ? version != RdbFormat.ValkeyVersion : version > RdbFormat.NewestVersion)
        {
            throw new RdbException(IsOfValkey
                ? $"version {version} of Valkey's format is not known: {RdbFormat.ValkeyVersion} is"
                : $"version {version} of the format is newer than {RdbFormat.NewestVersion}, the last one known", 0);
        }

        Version = version;
    }

    /// <summary>Reads something that is no item by itself.</summary>
    private void ReadNote(byte code)
    {
        var offset = _input.Offset - 1;
        switch (code)
        {
            case RdbFormat.ExpiryMs:
                ExpiryMs = CheckExpiry(_input.ReadInt64());
                break;
            case RdbFormat.ExpirySeconds:
                ExpiryMs = CheckExpiry(1000L * BinaryPrimitives.ReadInt32LittleEndian(_input.Read(sizeof(int))));
                break;
            case RdbFormat.Idle:
                Info = Info with { IdleSeconds = _input.ReadLength() };
                break;
            case RdbFormat.Frequency:
                Info = Info with { Frequency = _input.ReadByte() };
                break;
            case RdbFormat.Database:
                Database = (int)Math.Min(_input.ReadLength(), int.MaxValue);
                Sizes = default;
                break;
            case RdbFormat.Sizes:
                Sizes = (_input.ReadLength(), _input.ReadLength());
                break;
            case RdbFormat.SlotInfo:
                _ = _input.ReadLength();
                _ = _input.ReadLength();
                _ = _input.ReadLength();
                break;
            case RdbFormat.EarlyFunction:
                throw new RdbException(
                    "functions as release candidates of Redis 7.0 wrote them cannot be read", offset);
            case RdbFormat.ModuleAux:
                var module = RdbModule.NameOf(_input.ReadNumber());
                throw new RdbException($"data of the module type {module}: this server has no modules", offset);
            default:
                throw new RdbException(IsOfValkey
                    ? $"something that only Valkey has (type or code {code})"
                    : $"something unknown (type or code {code})", offset);
        }
    }

    private long CheckExpiry(long expiryMs)
        => expiryMs >= 0
            ? expiryMs
            : throw new RdbException($"{expiryMs} ms is no time at which a key expires", Offset);

    private void ReadEnd()
    {
        if (Version < RdbFormat.VersionOfChecksum)
        {
            return;
        }

        var sum = _verifies ? _input.Sum() : 0;
        var offset = Offset;
        var written = (ulong)_input.ReadInt64();
        if (_verifies && written != 0 && written != sum)
        {
            throw new RdbException($"the checksum {written:x16} is not that of the file, {sum:x16}", offset);
        }
    }
}
