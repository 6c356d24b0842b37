namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A stream that breaks when so many bytes were written to it.</summary>
internal sealed class CutStream(Stream inner, int bytes) : Stream
{
    private int _left = bytes;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Flush() => inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, count);

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count)
    {
        var written = Math.Min(count, _left);
        inner.Write(buffer, offset, written);
        _left -= written;
        if (_left == 0)
        {
            inner.Dispose();
            throw new IOException("cut");
        }
    }

    protected override void Dispose(bool disposing)
    {
        inner.Dispose();
        base.Dispose(disposing);
    }
}
