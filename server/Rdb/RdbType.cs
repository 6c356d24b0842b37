namespace Strata.Server.Rdb;

/// <summary>The numbers by which RDB names what a value is and how it is written.</summary>
internal static class RdbType
{
    public const byte String = 0;
    public const byte List = 1;
    public const byte Set = 2;
    public const byte SortedSetOfTexts = 3;
    public const byte Hash = 4;
    public const byte SortedSet = 5;
    public const byte EarlyModule = 6;
    public const byte Module = 7;
    public const byte Zipmap = 9;
    public const byte ListZiplist = 10;
    public const byte Intset = 11;
    public const byte SortedSetZiplist = 12;
    public const byte HashZiplist = 13;
    public const byte QuicklistOfZiplists = 14;
    public const byte Stream = 15;
    public const byte HashListpack = 16;
    public const byte SortedSetListpack = 17;
    public const byte Quicklist = 18;
    public const byte Stream2 = 19;
    public const byte SetListpack = 20;
    public const byte Stream3 = 21;
    public const byte HashWithTimes = 24;
    public const byte HashListpackWithTimes = 25;
}
