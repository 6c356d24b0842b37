namespace Strata.Storage.Interop;

/// <summary>Error numbers of Linux on x86-64 and arm64; a failed device request's result is minus one of them.
/// </summary>
internal static class Errno
{
    public const int NotPermitted = 1;
    public const int NoEntry = 2;
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int NoDevice = 6;
    public const int TryAgain = 11;
    public const int NoMemory = 12;
    public const int AccessDenied = 13;
    public const int NotADirectory = 20;
    public const int IsFolder = 21;
    public const int InvalidArgument = 22;
    public const int TooManyFiles = 24;
    public const int FileTooLarge = 27;
    public const int NoSpace = 28;
    public const int NameTooLong = 36;
    public const int NoSystemCall = 38;
    public const int TooManyLinks = 40;
    public const int Canceled = 125;
}
