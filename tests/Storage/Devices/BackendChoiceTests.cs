using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Devices.Native;
using Strata.Storage.Interop;

namespace Strata.Tests.Storage.Devices;

/// <summary>Which backend is taken when the machine refuses some, and what is said about it.</summary>
internal sealed class BackendChoiceTests
{
    [Test]
    public void Auto_takes_the_first_that_runs()
    {
        var choice = BackendChoice.Make(DeviceBackend.Auto, 8, new Machine());
        Assert.That(choice.Backend, Is.EqualTo(DeviceBackend.IoUring));
        Assert.That(choice.Reason, Does.StartWith("io_uring"));
    }

    [Test]
    public void Auto_says_why_the_better_ones_cannot_run()
    {
        var machine = new Machine { IoUring = Errno.NotPermitted };
        var choice = BackendChoice.Make(DeviceBackend.Auto, 8, machine);
        Assert.That(choice.Backend, Is.EqualTo(DeviceBackend.Libaio));
        Assert.That(choice.Reason, Does.StartWith("libaio, because io_uring cannot run: ").And.Contain("seccomp"));

        choice = BackendChoice.Make(DeviceBackend.Auto, 8, machine with { Libaio = Errno.TryAgain });
        Assert.That(choice.Backend, Is.EqualTo(DeviceBackend.Managed));
        Assert.That(choice.Reason, Does.StartWith("managed, because io_uring cannot run: ").And.Contain("seccomp")
            .And.Contain("libaio cannot run: ").And.Contain("fs.aio-max-nr"));

        choice = BackendChoice.Make(DeviceBackend.Auto, 8, new Machine { LibraryProblem = "it is missing" });
        Assert.That(choice, Is.EqualTo(new BackendChoice(DeviceBackend.Managed, "managed, because it is missing")));
    }

    [TestCase(DeviceBackend.IoUring, Errno.NoSystemCall, "kernel is too old", "5.6")]
    [TestCase(DeviceBackend.IoUring, Errno.InvalidArgument, "kernel is too old", "5.6")]
    [TestCase(DeviceBackend.IoUring, Errno.NotPermitted, "seccomp", "kernel.io_uring_disabled")]
    [TestCase(DeviceBackend.IoUring, Errno.AccessDenied, "seccomp", "kernel.io_uring_disabled")]
    [TestCase(DeviceBackend.IoUring, Errno.NoMemory, "locked", "memlock")]
    [TestCase(DeviceBackend.IoUring, Errno.TooManyFiles, "descriptors", "ulimit -n")]
    [TestCase(DeviceBackend.IoUring, Errno.InputOutput, "no ring", "libaio")]
    [TestCase(DeviceBackend.Libaio, Errno.NoSystemCall, "CONFIG_AIO", "io_uring")]
    [TestCase(DeviceBackend.Libaio, Errno.NotPermitted, "seccomp", "io_setup")]
    [TestCase(DeviceBackend.Libaio, Errno.TryAgain, "used up", "fs.aio-max-nr")]
    [TestCase(DeviceBackend.Libaio, Errno.NoMemory, "no memory", "managed")]
    public void A_named_one_that_cannot_run_is_refused_with_cause_and_remedy(
        DeviceBackend asked, int errno, string cause, string remedy)
    {
        var machine = new Machine { IoUring = errno, Libaio = errno };
        var refusal = Assert.Throws<DeviceException>(() => BackendChoice.Make(asked, 8, machine))!;
        Assert.That(refusal.Message, Does.Contain(BackendChoice.NameOf(asked)).And.Contain(cause).And.Contain(remedy)
            .And.Contain($"errno {errno}"));
    }

    [TestCase(DeviceBackend.IoUring)]
    [TestCase(DeviceBackend.Libaio)]
    public void A_named_one_without_its_library_is_refused(DeviceBackend asked)
    {
        var machine = new Machine { LibraryProblem = "the library is missing; build it" };
        var refusal = Assert.Throws<DeviceException>(() => BackendChoice.Make(asked, 8, machine))!;
        Assert.That(refusal.Message, Does.Contain("the library is missing; build it"));
    }

    [Test]
    public void Managed_asks_the_machine_for_nothing()
    {
        var machine = new Machine { LibraryProblem = "missing", IoUring = Errno.NoSystemCall };
        Assert.That(BackendChoice.Make(DeviceBackend.Managed, 8, machine).Backend, Is.EqualTo(DeviceBackend.Managed));
    }

    [Test]
    public void The_factory_makes_what_it_says()
    {
        using var device = FileDevice.Open(new DeviceSettings("/tmp/strata-unused/log"), out var chosen);
        var isNative = chosen.StartsWith("io_uring") || chosen.StartsWith("libaio");
        Assert.That(device, isNative ? Is.InstanceOf<NativeDevice>() : Is.InstanceOf<RandomAccessDevice>());
        Assert.That(Directory.Exists("/tmp/strata-unused"), Is.False, "nothing is made before it is initialized");
    }

    private sealed record Machine : INativeProbe
    {
        public string? LibraryProblem { get; init; }

        public int IoUring { get; init; }

        public int Libaio { get; init; }

        public int TryQueue(DeviceBackend backend, int depth) => backend == DeviceBackend.IoUring ? IoUring : Libaio;
    }
}
