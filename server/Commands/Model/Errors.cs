namespace Strata.Server.Commands.Model;

/// <summary>Redis's texts for the errors that more than one command answers, without the leading '-'.</summary>
public static class Errors
{
    public static ReadOnlySpan<byte> Syntax => "ERR syntax error"u8;

    public static ReadOnlySpan<byte> NotInteger => "ERR value is not an integer or out of range"u8;

    public static ReadOnlySpan<byte> NotPositive => "ERR value is out of range, must be positive"u8;

    /// <summary>Of a number that may be negative, but must have a positive counterpart.</summary>
    public static ReadOnlySpan<byte> OutOfSymmetricRange =>
        "ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807"u8;

    public static ReadOnlySpan<byte> NotFloat => "ERR value is not a valid float"u8;

    public static ReadOnlySpan<byte> NoSuchKey => "ERR no such key"u8;

    public static ReadOnlySpan<byte> SameObject => "ERR source and destination objects are the same"u8;

    public static ReadOnlySpan<byte> IndexOutOfRange => "ERR index out of range"u8;

    public static ReadOnlySpan<byte> DatabaseOutOfRange => "ERR DB index is out of range"u8;

    public static ReadOnlySpan<byte> InvalidCursor => "ERR invalid cursor"u8;

    public static ReadOnlySpan<byte> WrongType =>
        "WRONGTYPE Operation against a key holding the wrong kind of value"u8;

    /// <summary>EVALSHA of what is not there.</summary>
    public static ReadOnlySpan<byte> NoScript => "NOSCRIPT No matching script. Please use EVAL."u8;

    /// <summary>While a script runs for longer than <c>busy-reply-threshold</c>.</summary>
    public static ReadOnlySpan<byte> Busy =>
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."u8;

    /// <summary>While a function does.</summary>
    public static ReadOnlySpan<byte> BusyWithFunction =>
        "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE."u8;

    public static ReadOnlySpan<byte> OutOfMemory => "OOM command not allowed when used memory > 'maxmemory'."u8;

    /// <summary>A script of a transaction.</summary>
    public static ReadOnlySpan<byte> ScriptOutOfMemory =>
        "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'"u8;

    /// <summary>A programmer's error met a command; this text is our own.</summary>
    public static ReadOnlySpan<byte> Internal => "ERR internal error: the server's log says more"u8;

    public static ReadOnlySpan<byte> AuthenticationRequired => "NOAUTH Authentication required."u8;

    /// <summary>While the server loads its data.</summary>
    public static ReadOnlySpan<byte> Loading => "LOADING Redis is loading the dataset in memory"u8;

    /// <summary>Of a server that is no part of a cluster.</summary>
    public static ReadOnlySpan<byte> NoCluster => "ERR This instance has cluster support disabled"u8;

    /// <summary>Of a command that waited until CLIENT UNBLOCK with ERROR.</summary>
    public static ReadOnlySpan<byte> Unblocked => "UNBLOCKED client unblocked via CLIENT UNBLOCK"u8;

    public static ReadOnlySpan<byte> StringTooLong =>
        "ERR string exceeds maximum allowed size (proto-max-bulk-len)"u8;
}
