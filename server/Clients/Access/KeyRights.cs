using Strata.Server.Commands.Model;

namespace Strata.Server.Clients.Access;

/// <summary>What a user may do with the keys of a pattern, or what a command does with a key.</summary>
[Flags]
internal enum KeyRights
{
    None = 0,
    Read = 1 << 0,
    Write = 1 << 1,
    All = Read | Write,
}

/// <summary>Which rights commands need.</summary>
internal static class KeyRightsOfAccess
{
    extension(KeyAccess access)
    {
        /// <summary>The rights that are needed for it: a command that only looks whether a key is there, or how long it
        /// is, needs none but that the key may be named.</summary>
        public KeyRights NeededRights
            => ((access & KeyAccess.Access) != 0 ? KeyRights.Read : KeyRights.None)
                | ((access & (KeyAccess.Insert | KeyAccess.Delete | KeyAccess.Update)) != 0
                    ? KeyRights.Write
                    : KeyRights.None);
    }
}
