namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A stream that breaks when so many bytes were written to it.</summary>
internal sealed class CutStream(Stream inner, int bytes) : StreamAround(inner)
{
    private int _left = bytes;

    public override void Write(byte[] buffer, int offset, int count)
    {
        var written = Math.Min(count, _left);
        Inner.Write(buffer, offset, written);
        _left -= written;
        if (_left == 0)
        {
            Inner.Dispose();
            throw new IOException("cut");
        }
    }
}
