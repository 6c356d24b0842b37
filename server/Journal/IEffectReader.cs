namespace Strata.Server.Journal;

/// <summary>Takes effects in their order.</summary>
internal unsafe interface IEffectReader
{
    /// <summary>An effect begins.</summary>
    void Begin(in EffectHeader header);

    /// <summary>Bytes of its RESP follow.</summary>
    void Write(byte* bytes, int length);

    /// <summary>It has ended.</summary>
    void End();
}
