using System.Runtime.CompilerServices;
using System.Runtime.Versioning;

// Every native call passes blittable types only; generated marshalling stubs would hide copies.
[assembly: DisableRuntimeMarshalling]

[assembly: SupportedOSPlatform("linux")]
