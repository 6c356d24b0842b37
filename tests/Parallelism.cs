using NUnit.Framework;

// Most tests wait: for a server to start, a key to expire, the kernel to let go of a device. So fixtures run beside
// each other, more of them than there are cores; the tests of one fixture run one after the other. A fixture that
// measures what is this whole process's, or wants nearly all of something that it may have, is [NonParallelizable] and
// says why: those run one by one when all others are done.
[assembly: Parallelizable(ParallelScope.Fixtures)]
[assembly: LevelOfParallelism(5)]
