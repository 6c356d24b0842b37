namespace Strata.Tests.EndToEnd.Tls;

/// <summary>A stream that sends what is written to it in two parts, and lets some time pass between them.</summary>
internal sealed class SplitStream(Stream inner) : StreamAround(inner)
{
    private const int PauseMs = 30;

    public override void Write(byte[] buffer, int offset, int count)
    {
        var first = count / 2;
        Inner.Write(buffer, offset, first);
        Inner.Flush();
        Thread.Sleep(PauseMs);
        Inner.Write(buffer, offset + first, count - first);
    }
}
