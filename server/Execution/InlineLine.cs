
namespace Strata.Server.Execution;

/// <summary>A copy of the inline command being executed. Its escapes are undone in place, so that one that must wait
/// and is parsed again needs its line back.</summary>
internal sealed unsafe class InlineLine
{
    private byte[] _bytes = [];
    private int _length;

    /// <summary>Whether a command is an inline one.</summary>
    public static bool IsAt(byte* command) => *command != (byte)'*';

    /// <summary>Keeps the line, if it is whole and parsing may change it.</summary>
    public void Keep(byte* command, int length)
    {
        var line = new ReadOnlySpan<byte>(command, length);
        var end = line.IndexOf((byte)'\n');
        _length = end > 0 && line[..end].ContainsAny((byte)'"', (byte)'\'') ? end : 0;
        if (_length > _bytes.Length)
        {
            _bytes = new byte[_length];
        }

        line[.._length].CopyTo(_bytes);
    }

    /// <summary>Puts the line kept last back to where it was.</summary>
    public void Restore(byte* command) => _bytes.AsSpan(0, _length).CopyTo(new Span<byte>(command, _length));
}
