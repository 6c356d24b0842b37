using System.Runtime.CompilerServices;

// Every native call passes blittable types only; generated marshalling stubs would hide copies.
[assembly: DisableRuntimeMarshalling]
