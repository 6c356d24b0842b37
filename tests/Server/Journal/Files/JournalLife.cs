using System.Globalization;
using System.Text;
using Strata.Server;
using Strata.Server.Journal.Files;
using Strata.Storage.Memory;
using static Strata.Tests.Server.Journal.Files.JournalKit;

namespace Strata.Tests.Server.Journal.Files;

/// <summary>
/// One life of a server with a journal on a simulated disk, from start to the loss of power: it loads what is there,
/// checks that nothing is missing of what was synced, and that nothing else is there than what was written, in its
/// order; then it writes numbered commands, syncs, begins new increments and rewrites, and everything may fail.
/// </summary>
internal sealed unsafe class JournalLife(SimulatedDisk disk, JournalFiles files, JournalHistory history)
{
    private readonly Random _random = disk.Random;
    private JournalFileWriter? _writer;
    private NextIncrement? _next;

    // The file before the one that is written, until the disk has all of it, and how much was written at its end.
    private JournalFileWriter? _ended;
    private int _writtenBefore;
    private bool _isListed;
    private long _offset;

    // A rewrite under way.
    private JournalFileWriter? _baseWriter;
    private IJournalFile? _baseFile;
    private long _firstIncrement;

    /// <summary>Whether a sync of this life has failed.</summary>
    public bool HasLostSync { get; private set; }

    public void Start()
    {
        _ = files.Load();
        var end = LoadAll(out var numbers);
        history.Check(numbers);
        history.Written = numbers;
        _ = files.CleanUp();
        _offset = end.Offset;
        if (end.CanResume)
        {
            var error = files.Resume(end, out _writer);
            _isListed = !error.IsError;
            Learn(error);
        }
    }

    public void Step(int failsOneOf)
    {
        disk.FailsOneOf = failsOneOf;
        if (files.IsInDoubt)
        {
            Learn(files.Settle());
        }
        else if (_writer is null || _writer.IsLost || (!_isListed && _baseFile is null && _ended is null))
        {
            BeginAnew();
        }
        else
        {
            Act();
        }

        disk.FailsOneOf = 0;
    }

    private void Act()
    {
        switch (_random.Next(12))
        {
            case < 6:
                WriteBatch();
                break;
            case < 9 when _ended is not null:
                EndBefore();
                break;
            case < 9:
                Learn(_writer!.Sync());
                Acknowledge();
                break;
            case 9:
                Learn(_writer!.Mark());
                break;
            case 10 when _baseFile is null && _ended is null:
                BeginRewrite();
                break;
            default:
                GoOnRewriting();
                break;
        }
    }

    private void WriteBatch()
    {
        // Once tried it is written: what could not be is given again, as the journal's thread does.
        var numbers = Enumerable.Range(history.Written.Count, _random.Next(1, 4)).ToArray();
        // Now and then more than is gathered before it is written.
        var mostBytes = _random.Next(30) == 0 ? 2 * ServerLimits.JournalGatheredBytes : 1200;
        var commands = Joined([.. numbers.Select(number => Command(
            "N", number.ToString(CultureInfo.InvariantCulture), new string('v', _random.Next(mostBytes))))]);
        _writer!.FillAheadBytes = _random.Next(3) * 2500;
        fixed (byte* bytes = commands)
        {
            for (var given = 0L; given < commands.Length;)
            {
                var length = _random.NextInt64(1, commands.Length - given + 1);
                Learn(_writer!.Write(bytes + given, length, out var written));
                given += written;
            }
        }

        history.Written = [.. history.Written, .. numbers];
        history.Ends.Add(history.Written.Count);
        while (true)
        {
            var error = _writer!.EndBatch();
            Learn(error);
            if (!error.IsError)
            {
                break;
            }
        }

        _offset = _writer.Offset;
    }

    private void Acknowledge()
    {
        if (_isListed && _writer!.SyncedOffset == _writer.Offset)
        {
            history.Acknowledged = history.Written.Count;
        }
    }

    /// <summary>The last file is lost, or is another server's, or there is none.</summary>
    private void BeginAnew()
    {
        DropRewrite();
        _writer?.Dispose();
        _writer = null;
        _ended?.Dispose();
        _ended = null;
        files.DropIncrements();
        _isListed = false;
        if (files.Exists)
        {
            var error = files.CreateIncrement(_offset, _next, out _writer);
            _next = null;
            Learn(error);
            if (!error.IsError && TryBeginBase())
            {
                for (var steps = 0; _baseFile is not null && steps < 100; steps++)
                {
                    GoOnRewriting();
                }
            }

            if (!_isListed)
            {
                _writer?.Dispose();
                _writer = null;
            }

            return;
        }

        _isListed = Learn(files.BeginIncrement(_offset, out _writer));
    }

    /// <summary>Makes the next file ahead, or goes on in it.</summary>
    private void BeginRewrite()
    {
        if (_next is null && _random.Next(2) == 0)
        {
            Learn(files.PrepareIncrement(out _next));
        }
        else if (Learn(files.Switch(ref _next)))
        {
            (_ended, _writer, _next) = (_writer!, _next!.Writer, null);
            _writtenBefore = history.Written.Count;
            Learn(_writer.Follow(_ended.Offset, _ended.SyncedOffset));
            _ = TryBeginBase();
        }
    }

    /// <summary>Has the disk get all of the file before the one that is written.</summary>
    private void EndBefore()
    {
        var error = _ended!.End();
        error = error.IsError ? error : _writer!.SyncFile();
        error = error.IsError ? error : files.EndSwitch();
        if (Learn(error))
        {
            Learn(_writer!.OnFollowedSynced(_ended.Offset));
            history.Acknowledged = _writtenBefore;
        }
        else if (_ended.IsLost)
        {
            _isListed = false; // The base that is to come is needed.
        }
        else
        {
            _writer!.OnFileSynced(0, error);
        }

        _ended.Dispose();
        _ended = null;
    }

    private bool TryBeginBase()
    {
        _firstIncrement = _writer!.Sequence;
        if (!Learn(files.CreateBase(JournalBaseKind.Commands, out _baseFile)))
        {
            return false;
        }

        if (!Learn(files.BeginBase(_baseFile!, out _baseWriter)))
        {
            DropRewrite();
            return false;
        }

        var state = Command("STATE", history.Written.Count.ToString(CultureInfo.InvariantCulture));
        fixed (byte* bytes = state)
        {
            if (!Learn(_baseWriter!.Write(bytes, state.Length, out _)))
            {
                DropRewrite();
                return false;
            }
        }

        return true;
    }

    private void GoOnRewriting()
    {
        if (_ended is not null)
        {
            EndBefore();
        }

        if (_baseFile is null || _writer!.IsLost)
        {
            return;
        }

        if (!Learn(_baseWriter!.Finish()))
        {
            DropRewrite();
            return;
        }

        _baseWriter.Dispose();
        _baseFile = null;
        if (Learn(_writer.Sync()) && Learn(files.EndRewrite(_firstIncrement)))
        {
            _isListed = true;
            Learn(_writer.OnFollowedSynced(0));
            Acknowledge();
            _ = files.DeleteHistory();
        }
    }

    private void DropRewrite()
    {
        if (_baseFile is not null)
        {
            files.DropBase(_baseFile);
            _baseFile = null;
        }
    }

    private bool Learn(JournalError error)
    {
        HasLostSync |= error.IsError;
        return !error.IsError;
    }

    private JournalEnd LoadAll(out List<int> numbers)
    {
        numbers = [];
        JournalEnd end = default;
        var expected = -1L;
        using var reader = new JournalFileReader(new MemoryBudget(), SmallBuffer);
        var live = files.Manifest.Live.ToList();
        foreach (var part in live)
        {
            var isBase = part.Kind == ManifestPartKind.Base;
            var mayEndTorn = part == live[^1] || (!isBase && IsBegunAhead(live[live.IndexOf(part) + 1]));
            AssertNone(files.Open(part.Name, out var file));
            using (file)
            {
                reader.Begin(file!, new(mayEndTorn, isBase, true, 0, expected));
                var given = new MemoryStream();
                while (reader.TryRead(out var stretch))
                {
                    given.Write(new ReadOnlySpan<byte>(stretch.Bytes, stretch.Length));
                }

                Take(given.ToArray(), numbers);
                end = reader.End;
                AssertNone(end.HasMore ? reader.Cut() : mayEndTorn ? file!.Sync() : default);

                expected = isBase ? -1 : end.Offset;
            }
        }

        return live.Count > 0 && live[^1].Kind == ManifestPartKind.Increment ? end : end with { CanResume = false };
    }

    private bool IsBegunAhead(ManifestPart part)
    {
        AssertNone(files.Open(part.Name, out var file));
        using (file)
        {
            return JournalFileReader.IsBegunAhead(file!);
        }
    }

    private static void Take(byte[] commands, List<int> numbers)
    {
        var lines = Encoding.Latin1.GetString(commands).Split("\r\n");
        for (var i = 0; i + 1 < lines.Length;)
        {
            var words = int.Parse(lines[i][1..], CultureInfo.InvariantCulture);
            var number = int.Parse(lines[i + 4], CultureInfo.InvariantCulture);
            if (lines[i + 2] == "STATE")
            {
                numbers.AddRange(Enumerable.Range(0, number));
            }
            else
            {
                numbers.Add(number);
            }

            i += 1 + (2 * words);
        }
    }
}
