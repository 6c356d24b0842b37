using Strata.Storage.Interop;

namespace Strata.Storage.Devices.Native;

/// <summary>Which backend a device takes, and the text for the log that says why.</summary>
internal readonly record struct BackendChoice(DeviceBackend Backend, string Reason)
{
    private static readonly DeviceBackend[] s_inOrder = [DeviceBackend.IoUring, DeviceBackend.Libaio];

    /// <summary>Chooses.</summary>
    /// <exception cref="DeviceException">The backend asked for cannot run.</exception>
    public static BackendChoice Make(DeviceBackend asked, int depth, INativeProbe probe)
    {
        if (asked == DeviceBackend.Managed)
        {
            return new(asked, "managed, as asked for");
        }

        if (asked != DeviceBackend.Auto)
        {
            var refusal = WhyNot(asked, depth, probe);
            return refusal == null
                ? new(asked, NameOf(asked) + ", as asked for")
                : throw new DeviceException($"the device backend {NameOf(asked)} cannot run here: {refusal}");
        }

        if (probe.LibraryProblem is { } problem)
        {
            return new(DeviceBackend.Managed, $"managed, because {problem}");
        }

        var before = "";
        foreach (var candidate in s_inOrder)
        {
            var refusal = WhyNot(candidate, depth, probe);
            if (refusal == null)
            {
                return new(candidate, NameOf(candidate) + (before.Length == 0 ? ", the first choice" : before));
            }

            before += $"{(before.Length == 0 ? ", because " : "; ")}{NameOf(candidate)} cannot run: {refusal}";
        }

        return new(DeviceBackend.Managed, NameOf(DeviceBackend.Managed) + before);
    }

    /// <summary>The name of a backend in options and texts.</summary>
    public static string NameOf(DeviceBackend backend) => backend switch
    {
        DeviceBackend.Auto => "auto",
        DeviceBackend.IoUring => "io_uring",
        DeviceBackend.Libaio => "libaio",
        DeviceBackend.Managed => "managed",
        _ => throw new ArgumentOutOfRangeException(nameof(backend)),
    };

    /// <summary>What the kernel means by refusing a queue, and what to do about it.</summary>
    public static string Describe(DeviceBackend backend, int errno)
        => (backend == DeviceBackend.IoUring ? DescribeIoUring(errno) : DescribeLibaio(errno)) + $" (errno {errno})";

    private static string? WhyNot(DeviceBackend backend, int depth, INativeProbe probe)
    {
        if (probe.LibraryProblem is { } problem)
        {
            return problem;
        }

        var errno = probe.TryQueue(backend, depth);
        return errno == 0 ? null : Describe(backend, errno);
    }

    private static string DescribeIoUring(int errno) => errno switch
    {
        Errno.NoSystemCall or Errno.InvalidArgument =>
            "the kernel is too old or built without it; run Linux 5.6 or later, or take libaio",
        Errno.NotPermitted or Errno.AccessDenied =>
            "it is forbidden, by a container's seccomp profile or by the sysctl kernel.io_uring_disabled; allow "
            + "io_uring_setup, io_uring_enter and io_uring_register in the profile or set the sysctl to 0, or take "
            + "libaio",
        Errno.NoMemory => "no memory may be locked for its rings; raise the limit (ulimit -l, --ulimit memlock) or "
            + "take libaio",
        Errno.TooManyFiles => "no file descriptors are left; raise 'ulimit -n'",
        _ => "the kernel gives no ring; take libaio",
    };

    private static string DescribeLibaio(int errno) => errno switch
    {
        Errno.NoSystemCall or Errno.InvalidArgument =>
            "the kernel is built without asynchronous I/O (CONFIG_AIO); take io_uring or managed",
        Errno.NotPermitted or Errno.AccessDenied => "it is forbidden, by a container's seccomp profile; allow "
            + "io_setup, io_submit, io_getevents and io_destroy in it, or take managed",
        Errno.TryAgain => "the machine's contexts are used up; raise the sysctl fs.aio-max-nr, or take io_uring",
        Errno.NoMemory => "there is no memory for its context; make some free, or take managed",
        Errno.TooManyFiles => "no file descriptors are left; raise 'ulimit -n'",
        _ => "the kernel gives no context; take io_uring or managed",
    };
}
