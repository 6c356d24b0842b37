using NUnit.Framework;
using Strata.Storage.Runtime;

namespace Strata.Tests.Storage.Runtime;

internal sealed class DedicatedThreadTests
{
    [Test]
    public void Does_the_work_on_a_thread_of_its_own()
    {
        var name = "";
        var thread = new DedicatedThread("worked", () => name = Thread.CurrentThread.Name);
        thread.Start();
        thread.Join();
        Assert.That(name, Is.EqualTo("worked"));
    }

    [Test]
    public void Has_the_pool_do_the_work_where_there_is_no_memory_for_a_thread()
    {
        var isOfPool = false;
        var thread = new RefusedThread(() => isOfPool = Thread.CurrentThread.IsThreadPoolThread);
        thread.Start();
        thread.Join();
        Assert.That(isOfPool);
    }

    [Test]
    public void Is_not_waited_for_when_it_was_never_started() => new DedicatedThread("idle", () => { }).Join();

    private sealed class RefusedThread(Action work) : DedicatedThread("refused", work)
    {
        internal override void Start(Thread thread) => throw new InsufficientMemoryException();
    }
}
