namespace Strata.Storage.Devices.Files;

/// <summary>What a path lies on.</summary>
public static class FileSystem
{
    /// <summary>The type of the file system of a path that is there, as the kernel names it ("ext4"), or "unknown".
    /// </summary>
    public static string TypeOf(string path)
    {
        try
        {
            return new DriveInfo(path).DriveFormat;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "unknown";
        }
    }
}
