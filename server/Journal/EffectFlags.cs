namespace Strata.Server.Journal;

/// <summary>Where an effect stands in its unit: effects of one are repeated all together, or not at all.</summary>
[Flags]
internal enum EffectFlags : ushort
{
    None = 0,
    FirstOfUnit = 1 << 0,
    LastOfUnit = 1 << 1,
}
