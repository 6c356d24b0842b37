namespace Strata.Tests.Support.Fuzzing;

/// <summary>Changes bytes of something that is right.</summary>
internal static class Mutation
{
    /// <summary>Changes some bytes, mostly few and near the beginning, where lengths are; or cuts, repeats or inserts.
    /// </summary>
    /// <param name="content">What is right.</param>
    /// <param name="random">Says where and what.</param>
    /// <param name="interesting">Bytes that mean something there.</param>
    public static byte[] Of(byte[] content, Random random, ReadOnlySpan<byte> interesting)
    {
        var bytes = content.ToList();
        for (var left = 1 + (random.Next(3) == 0 ? random.Next(8) : 0); left > 0 && bytes.Count > 0; left--)
        {
            var most = random.Next(2) == 0 ? Math.Min(bytes.Count, 24) : bytes.Count;
            var at = random.Next(most);
            switch (random.Next(8))
            {
                case 0:
                    bytes.RemoveRange(at, random.Next(1, bytes.Count - at + 1));
                    break;
                case 1:
                    bytes.InsertRange(at, bytes.GetRange(at, random.Next(bytes.Count - at + 1)));
                    break;
                case 2:
                    bytes.Insert(at, (byte)random.Next(256));
                    break;
                case 3:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 4:
                    bytes[at] = (byte)random.Next(256);
                    break;
                default:
                    bytes[at] = interesting[random.Next(interesting.Length)];
                    break;
            }
        }

        return [.. bytes];
    }
}
