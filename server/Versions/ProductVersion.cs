namespace Strata.Server.Versions;

/// <summary>The version of this program.</summary>
public static class ProductVersion
{
    /// <summary>Major, minor and patch number with dots between them.</summary>
    public static readonly string Text = typeof(ProductVersion).Assembly.GetName().Version!.ToString(3);
}
