using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Rdb;

/// <summary>
/// Lists: as a quicklist, of listpacks of up to 8 KiB as Redis fills them, and of large elements by themselves. How
/// many these are stands in front of them, so the list is gone through twice.
/// </summary>
internal sealed class ListWriter(CollectionWalk walk, RdbOutput blob) : ValueWriter
{
    private const int MostBytes = 8192;

    // What Redis takes an element to need beside its bytes when it looks whether a node has room for it.
    private const int Overhead = 8;

    private bool _compresses;
    private bool _isCounting;
    private bool _isWritingFirst;
    private long _nodes;
    private int _nodeBytes;
    private int _nodeElements;

    /// <inheritdoc/>
    public override byte Begin(in Record record, bool compresses)
    {
        _compresses = compresses;
        _isCounting = true;
        _isWritingFirst = false;
        _nodes = 0;
        _nodeElements = 0;
        walk.Begin(record);
        return RdbType.Quicklist;
    }

    /// <inheritdoc/>
    public override bool Step(in Record record, RdbOutput output, int effort)
    {
        while (_isCounting)
        {
            if (effort-- <= 0)
            {
                return false;
            }

            Count(record);
        }

        if (_isWritingFirst)
        {
            _isWritingFirst = false;
            output.WriteLength(_nodes);
        }

        while (effort > 0)
        {
            if (!walk.TryNext(record, out var element))
            {
                EndNode(output);
                return true;
            }

            Write(element.Name, output);
            effort -= EffortFor(element.Name.Length);
        }

        return false;
    }

    private void Count(in Record record)
    {
        if (walk.TryNext(record, out var element))
        {
            if (!FitsNode(element.Name.Length))
            {
                _nodes++;
                _nodeElements = 0;
                _nodeBytes = ListpackWriter.FrameBytes;
            }

            _nodeElements++;
            _nodeBytes += ListpackWriter.BytesOf(element.Name);
            return;
        }

        _isCounting = false;
        _isWritingFirst = true;
        _nodeElements = 0;
        walk.Begin(record);
    }

    private void Write(ReadOnlySpan<byte> element, RdbOutput output)
    {
        if (!FitsNode(element.Length))
        {
            EndNode(output);
        }

        if (element.Length > MostBytes)
        {
            output.WriteLength(RdbFormat.PlainNode);
            output.WriteString(element, _compresses);
            return;
        }

        if (_nodeElements++ == 0)
        {
            ListpackWriter.Begin(blob);
        }

        ListpackWriter.Add(blob, element);
        _nodeBytes = blob.Length + 1;
    }

    /// <summary>Whether an element goes to the node that is being filled, if one is.</summary>
    private bool FitsNode(int bytes)
        => _nodeElements > 0 && bytes <= MostBytes && _nodeBytes + bytes + Overhead <= MostBytes;

    private void EndNode(RdbOutput output)
    {
        if (_nodeElements > 0)
        {
            ListpackWriter.Finish(blob, _nodeElements);
            output.WriteLength(RdbFormat.PackedNode);
            output.WriteString(blob.Written, _compresses);
            _nodeElements = 0;
        }
    }
}
