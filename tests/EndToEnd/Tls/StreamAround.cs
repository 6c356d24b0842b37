namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A stream that does something to what is written to another.</summary>
internal abstract class StreamAround(Stream inner) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    protected Stream Inner { get; } = inner;

    public override void Flush() => Inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => Inner.Read(buffer, offset, count);

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        Inner.Dispose();
        base.Dispose(disposing);
    }
}
